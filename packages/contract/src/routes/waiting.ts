/** The route for pending work per block of a policy. */
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { policyId } from '../parameter.js';
import { boundedPageQuery } from '../query-parameters.js';
import { route } from '../route.js';

const count = z.int().min(0).optional();

const waitingAtBlock = component(
  'WaitingAtBlock',
  z.object({
    uuid: z.string(),
    tag: z.string(),
    blockType: z.string(),
    documents: count.describe('For a source or grid: the number of distinct documents across all users.'),
    decisions: count.describe('Documents waiting for a user to act on them with this block.'),
    gathered: count.describe('Documents held back: to be aggregated, or to be voted on.'),
    requests: count.describe('Open requests between instances addressed to it or awaited by it. Absent if none.'),
    retries: count.describe('Failed events to be retried. Absent if none.'),
  }),
  { uuid: '6c1f8a52-4a8e-4f57-9a5e-0f6c9bd1a3d2', tag: 'decide', blockType: 'buttonBlock', decisions: 3 },
);

export const waitingRoutes = {
  listWaiting: route({
    method: 'GET',
    path: '/policies/{policyId}/waiting',
    summary: 'Lists the blocks of a policy in tree order with their pending work. For its owner only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Blocks.', schema: z.array(waitingAtBlock), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
} as const;
