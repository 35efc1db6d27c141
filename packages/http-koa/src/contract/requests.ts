/** Routes about requests between instances (interface, endpoint 2, and what stands beside it). */
import { policyRecord, requestStatus, requestType } from '@blockwork/core/records';
import { z } from 'zod';
import { refused, totalCount } from './answers.js';
import { messageId } from './parameter.js';
import { refusalReport, requestCounts, requestRow, requestWithAction } from './request-row.js';
import { route } from './route.js';
import { pageIndex, pageSize, timeout } from './query-parameters.js';

const filter = z.object({
  policyId: z.string().optional(),
  status: requestStatus.optional(),
  type: requestType.optional(),
  direction: z.enum(['incoming', 'outgoing']).optional(),
});

/** Whoever may run policies sees and takes back what is their own. */
const seeing = { permission: 'POLICIES_EXTERNAL_POLICY_READ', orPermission: 'POLICIES_POLICY_EXECUTE' } as const;

export const requestRoutes = {
  listRequests: route({
    method: 'GET',
    path: '/external-policies/requests',
    summary: 'Lists the requests between instances that concern the caller, in the order of arrival.',
    ...seeing,
    params: {},
    query: { kind: 'listed', schema: filter.extend({ pageIndex, pageSize }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Requests, without what they ask for.', schema: z.array(requestRow), headers: totalCount },
      ...refused(422),
    },
  }),
  countRequests: route({
    method: 'GET',
    path: '/external-policies/requests/count',
    summary: 'Counts the requests that the list has with the same filter.',
    ...seeing,
    params: {},
    query: { kind: 'listed', schema: filter },
    body: { kind: 'none' },
    answers: { 200: { description: 'How many there are.', schema: requestCounts }, ...refused(422) },
  }),
  refusedMessages: route({
    method: 'GET',
    path: '/external-policies/requests/refused',
    summary: 'Tells the operator of messages of other instances that were refused.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'How many, and the latest.', schema: refusalReport }, ...refused() },
  }),
  getRequest: route({
    method: 'GET',
    path: '/external-policies/requests/{messageId}',
    summary: 'Reads one request, at once or when it is closed.',
    ...seeing,
    params: { messageId },
    query: { kind: 'listed', schema: z.object({ timeout }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The request, with what it asks for.', schema: requestWithAction },
      ...refused(400, 404, 422),
    },
  }),
  approveRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/approve',
    summary: 'Approves a request for an action that a remote instance has sent.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: { messageId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: policyRecord, checkedBy: 'engine', optional: 'approveWithoutBody' },
    answers: {
      200: { description: 'The approved policy record, as this caller sees it.', schema: policyRecord },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  rejectRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/reject',
    summary: 'Refuses what a remote instance asks, and tells it so.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: { messageId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: z.object({ reason: z.string().max(2000).optional() }), optional: 'always' },
    answers: {
      200: { description: 'The request, as it is now.', schema: requestRow },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  cancelRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/cancel',
    summary: 'Takes back what the caller has asked of a remote instance.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    orPermission: 'POLICIES_POLICY_EXECUTE',
    params: { messageId },
    query: { kind: 'listed', schema: z.object({ timeout }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The request is canceled, on both sides.', schema: requestRow },
      202: {
        description: 'The other instance was told; it has not said yet whether that came in time.',
        schema: requestRow,
      },
      ...refused(400, 404, 409, 422),
    },
  }),
} as const;
