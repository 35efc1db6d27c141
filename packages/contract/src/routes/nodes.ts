/** Routes about the instance itself: its nodes, backlog, failures and limits. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { boundedPageQuery } from '../query-parameters.js';
import { ledgerResumption, ledgerState, witnessedLog } from '../records/ledger-state.js';
import { node } from '../records/node.js';
import { logLine, operation, slowUnit, stuckWork, waitingMessage } from '../records/operation.js';
import { route } from '../route.js';

export const nodeRoutes = {
  listNodes: route({
    method: 'GET',
    path: '/nodes',
    summary: 'Lists the live processes on the store, oldest first; empty if the store belongs to a single process.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The nodes.', schema: z.array(node), headers: totalCount }, ...refused() },
  }),
  getOperation: route({
    method: 'GET',
    path: '/operation',
    summary: 'Reads the backlog of the instance, its failing work, and its limits. Refreshed at most once a second.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The state.', schema: operation }, ...refused() },
  }),
  listOutbox: route({
    method: 'GET',
    path: '/operation/outbox',
    summary:
      'Lists unsent messages to other instances and why they failed, longest waiting first, without their contents.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The messages.', schema: z.array(waitingMessage), headers: totalCount },
      ...refused(413, 422),
    },
  }),
  listWitnesses: route({
    method: 'GET',
    path: '/operation/witnesses',
    summary: "Lists the newest checkpoints of published policies' logs on the external ledger.",
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The checkpoints.', schema: z.array(witnessedLog), headers: totalCount },
      ...refused(409, 422),
    },
  }),
  listStuckWork: route({
    method: 'GET',
    path: '/operation/stuck',
    summary: 'Lists failing background work of this node, which is retried, with the reasons.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'What fails.', schema: z.array(stuckWork), headers: totalCount },
      ...refused(),
    },
  }),
  listSlowUnits: route({
    method: 'GET',
    path: '/operation/slow-units',
    summary: 'Lists the slowest units of work of this node in the last 30 to 60 minutes: at most 20, slowest first.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The units.', schema: z.array(slowUnit), headers: totalCount },
      ...refused(),
    },
  }),
  listLogLines: route({
    method: 'GET',
    path: '/operation/log',
    summary: 'Lists the recent log lines of this node, newest first; empty if it keeps none.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: {
      kind: 'listed',
      schema: boundedPageQuery.extend({
        requestId: z.string().max(64).optional().describe('Only lines about the request with this id.'),
        level: z.enum(['info', 'warn', 'error']).optional().describe('Minimum level. Default `info`.'),
      }),
    },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The lines.', schema: z.array(logLine), headers: totalCount },
      ...refused(422),
    },
  }),
  getLedger: route({
    method: 'GET',
    path: '/operation/ledger',
    summary: 'Reads the state of the external ledger: costs and budget, balance, and what waits to be settled.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The state.', schema: ledgerState }, ...refused(409) },
  }),
  resumeLedger: route({
    method: 'PUT',
    path: '/operation/ledger/resume',
    summary:
      'Tries everything that waits for the external ledger at once, also what it refused. Answers before the outcome.',
    permission: 'INSTANCE_OPERATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'json', schema: ledgerResumption },
    answers: { 200: { description: 'The state.', schema: ledgerState }, ...refused(400, 409, 413, 415, 422) },
  }),
} as const;
