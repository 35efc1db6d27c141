/** Routes that explain the availability of blocks and the contents of grids. */
import { z } from 'zod';
import { refused } from '../answers.js';
import { blockUuid, documentId, policyId } from '../parameter.js';
import { identity } from '../query-parameters.js';
import { blockExplanation, selectionExplanation } from '../records/explanation.js';
import { route } from '../route.js';
import type { Query } from '../route.js';

const asQuery = {
  kind: 'listed',
  schema: z.object({
    as: identity.optional().describe('The user to explain for; default: the caller. Only the owner may name others.'),
  }),
} as const satisfies Query;

export const explanationRoutes = {
  explainBlock: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks/{uuid}/availability',
    summary: 'Explains whether a block is available to a user: the decision, with each step from the root down.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, uuid: blockUuid },
    query: asQuery,
    body: { kind: 'none' },
    answers: {
      200: { description: 'The decision and its reasons.', schema: blockExplanation },
      ...refused(400, 404, 422),
    },
  }),
  explainDocument: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks/{uuid}/documents/{documentId}/selection',
    summary: 'Explains whether a grid shows a document to a user: which source selects it, or which filter drops it.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId, uuid: blockUuid, documentId },
    query: asQuery,
    body: { kind: 'none' },
    answers: {
      200: { description: 'Every source with its conditions.', schema: selectionExplanation },
      ...refused(400, 404, 409, 422),
    },
  }),
} as const;
