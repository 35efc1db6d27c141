/** Routes about the instance itself: the nodes that serve its store, what waits, and its limits. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { boundedPageQuery } from '../query-parameters.js';
import { node } from '../records/node.js';
import { logLine, operation, slowUnit, stuckWork, waitingMessage } from '../records/operation.js';
import { route } from '../route.js';

export const nodeRoutes = {
  listNodes: route({
    method: 'GET',
    path: '/nodes',
    summary:
      'Lists the processes that are alive on the store, the oldest first; none where the store belongs to one process alone.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The nodes.', schema: z.array(node), headers: totalCount }, ...refused() },
  }),
  getOperation: route({
    method: 'GET',
    path: '/operation',
    summary:
      'Tells what waits in the instance, what fails and is retried, and its limits. Looks at most once a second.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The state.', schema: operation }, ...refused() },
  }),
  listOutbox: route({
    method: 'GET',
    path: '/operation/outbox',
    summary:
      'Lists messages for other instances that were not sent, those that wait longest first, and why; not what they say.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: {},
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The messages.', schema: z.array(waitingMessage), headers: totalCount },
      ...refused(413, 422),
    },
  }),
  listStuckWork: route({
    method: 'GET',
    path: '/operation/stuck',
    summary: 'Lists background work of this node that fails and is retried, and why.',
    permission: 'POLICIES_POLICY_MANAGE',
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
    summary: 'Lists the slowest units of work of this node in the last half to whole hour: at most 20, slowest first.',
    permission: 'POLICIES_POLICY_MANAGE',
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
    summary: 'Lists the last log lines of this node, newest first; none where it keeps none.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: {},
    query: {
      kind: 'listed',
      schema: boundedPageQuery.extend({
        requestId: z.string().max(64).optional().describe('Lines about this request: the id that its answer named.'),
        level: z.enum(['info', 'warn', 'error']).optional().describe('The lowest level. Default `info`.'),
      }),
    },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The lines.', schema: z.array(logLine), headers: totalCount },
      ...refused(422),
    },
  }),
} as const;
