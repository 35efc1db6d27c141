/** Routes that read from blocks and send data to them (interface, endpoints 3 to 6). */
import { z } from 'zod';
import { component } from '../component.js';
import { json } from '../records/json.js';
import { refused } from '../answers.js';
import { askedElsewhere } from '../records/request.js';
import { timeout } from '../query-parameters.js';
import { blockTag, blockUuid, policyId } from '../parameter.js';
import { route } from '../route.js';
import type { Answer, Body, Query } from '../route.js';

/** Understood by the built-in blocks. Filters are named by their tag or uuid. */
export const readQuery = {
  kind: 'open',
  schema: z.looseObject({
    page: z.string().optional().describe('Page of this answer, from 0.'),
    itemsPerPage: z.string().optional().describe('Page size of this answer.'),
    sortField: z.string().optional().describe('Field that orders this answer.'),
    sortDirection: z.string().optional().describe('`asc` or `desc`.'),
  }),
} as const satisfies Query;

/** The block checks its fields. */
const blockInput = {
  kind: 'json',
  schema: component('BlockInput', z.looseObject({}), { page: 0, itemsPerPage: 10 }),
} as const satisfies Body;

const blockData = {
  description: 'The data of the block; its shape depends on the block.',
  schema: json,
} as const satisfies Answer;
const blockResult = {
  description: 'The result of the block; `{}` if it has none.',
  schema: json,
} as const satisfies Answer;
const noQuery = { kind: 'none' } as const satisfies Query;
/** For a policy hosted by another instance. */
const sendQuery = { kind: 'listed', schema: z.object({ timeout }) } as const satisfies Query;
const askedAnswer = {
  description: 'Another instance hosts the policy and has not answered yet.',
  schema: askedElsewhere,
} as const satisfies Answer;
const noBody = { kind: 'none' } as const satisfies Body;

export const blockRoutes = {
  readRoot: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks',
    summary: 'Reads the root block of a policy.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId },
    query: readQuery,
    body: noBody,
    answers: { 200: blockData, ...refused(400, 404, 405, 409, 413, 422) },
  }),
  readBlock: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks/{uuid}',
    summary: 'Reads the data of a block, addressed by UUID.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, uuid: blockUuid },
    query: readQuery,
    body: noBody,
    answers: { 200: blockData, ...refused(400, 404, 405, 409, 413, 422) },
  }),
  sendToBlock: route({
    method: 'POST',
    path: '/policies/{policyId}/blocks/{uuid}',
    summary: 'Sends data to a block, addressed by UUID.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, uuid: blockUuid },
    query: sendQuery,
    body: blockInput,
    takesIdempotencyKey: true,
    answers: { 200: blockResult, 202: askedAnswer, ...refused(400, 404, 405, 409, 413, 415, 422) },
  }),
  getBlockId: route({
    method: 'GET',
    path: '/policies/{policyId}/tag/{tag}',
    summary: 'Returns the UUID of the block with a tag.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, tag: blockTag },
    query: noQuery,
    body: noBody,
    answers: {
      200: { description: 'The UUID of the block.', schema: z.object({ id: z.string() }) },
      ...refused(400, 404),
    },
  }),
  readBlockByTag: route({
    method: 'GET',
    path: '/policies/{policyId}/tag/{tag}/blocks',
    summary: 'Reads the data of a block, addressed by tag.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, tag: blockTag },
    query: readQuery,
    body: noBody,
    answers: { 200: blockData, ...refused(400, 404, 405, 409, 413, 422) },
  }),
  sendToBlockByTag: route({
    method: 'POST',
    path: '/policies/{policyId}/tag/{tag}/blocks',
    summary: 'Sends data to a block, addressed by tag.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, tag: blockTag },
    query: sendQuery,
    body: blockInput,
    takesIdempotencyKey: true,
    answers: { 200: blockResult, 202: askedAnswer, ...refused(400, 404, 405, 409, 413, 415, 422) },
  }),
} as const;
