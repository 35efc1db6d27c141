/** Routes for requests between instances (interface, endpoint 2). */
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { messageId, policyId } from '../parameter.js';
import { requestStatus, requestType } from '../records/enumerations.js';
import { policyRecord } from '../records/policy-record.js';
import { offer, refusalReport, requestCounts, requestRow, requestWithAction } from '../records/request.js';
import { route } from '../route.js';
import { pageIndex, pageSize, timeout } from '../query-parameters.js';

const filter = z.object({
  policyId: z.string().optional(),
  status: requestStatus.optional(),
  type: requestType.optional(),
  direction: z.enum(['incoming', 'outgoing']).optional(),
});

/** Callers that may execute policies see and cancel their own requests. */
const seeing = { permission: 'POLICIES_EXTERNAL_POLICY_READ', orPermission: 'POLICIES_POLICY_EXECUTE' } as const;

export const requestRoutes = {
  offerPolicy: route({
    method: 'POST',
    path: '/policies/{policyId}/offers',
    summary: 'Offers a published policy of the caller to another instance, which accepts or declines it.',
    takesIdempotencyKey: true,
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: offer },
    answers: {
      201: {
        description: 'The request to the other instance; closed once that instance has decided.',
        schema: requestRow,
      },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  listRequests: route({
    method: 'GET',
    path: '/external-policies/requests',
    summary: 'Lists the requests between instances that concern the caller, in order of arrival.',
    ...seeing,
    params: {},
    query: { kind: 'listed', schema: filter.extend({ pageIndex, pageSize }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Requests without their action.', schema: z.array(requestRow), headers: totalCount },
      ...refused(413, 422),
    },
  }),
  countRequests: route({
    method: 'GET',
    path: '/external-policies/requests/count',
    summary: 'Counts the requests that match the filter of the list.',
    ...seeing,
    params: {},
    query: { kind: 'listed', schema: filter },
    body: { kind: 'none' },
    answers: { 200: { description: 'The counts.', schema: requestCounts }, ...refused(422) },
  }),
  refusedMessages: route({
    method: 'GET',
    path: '/external-policies/requests/refused',
    summary: 'Reports refused messages from other instances.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'Their counts, and the latest ones.', schema: refusalReport }, ...refused() },
  }),
  getRequest: route({
    method: 'GET',
    path: '/external-policies/requests/{messageId}',
    summary: 'Reads one request, optionally waiting until it is closed.',
    ...seeing,
    params: { messageId },
    query: { kind: 'listed', schema: z.object({ timeout }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The request with its action.', schema: requestWithAction },
      ...refused(400, 404, 422),
    },
  }),
  approveRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/approve',
    summary: 'Approves the request of a remote instance.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: { messageId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: policyRecord, checkedBy: 'engine', optional: 'approveWithoutBody' },
    answers: {
      200: { description: 'The approved policy record, as the caller sees it.', schema: policyRecord },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  rejectRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/reject',
    summary: 'Rejects the request of a remote instance.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: { messageId },
    query: { kind: 'none' },
    body: {
      kind: 'json',
      schema: component('Rejection', z.object({ reason: z.string().max(2000).optional() }), { reason: 'Too late.' }),
      optional: 'always',
    },
    answers: {
      200: { description: 'The request.', schema: requestRow },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  cancelRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/cancel',
    summary: 'Cancels a request of the caller to a remote instance.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    orPermission: 'POLICIES_POLICY_EXECUTE',
    params: { messageId },
    query: { kind: 'listed', schema: z.object({ timeout }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The request, canceled on both instances.', schema: requestRow },
      202: {
        description: 'The other instance has not confirmed the cancellation yet.',
        schema: requestRow,
      },
      ...refused(400, 404, 409, 422),
    },
  }),
} as const;
