/** The route that approves a request of a remote instance (interface, endpoint 2). */
import { policyRecord } from '@blockwork/core';
import { refused } from './answers.js';
import { messageId } from './parameter.js';
import { route } from './route.js';

export const requestRoutes = {
  approveRequest: route({
    method: 'PUT',
    path: '/external-policies/requests/{messageId}/approve',
    summary: 'Approves a request for an action that a remote instance has sent.',
    permission: 'POLICIES_EXTERNAL_POLICY_UPDATE',
    params: { messageId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: policyRecord, checkedBy: 'engine' },
    answers: {
      200: { description: 'The approved policy record, as this caller sees it.', schema: policyRecord },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
} as const;
