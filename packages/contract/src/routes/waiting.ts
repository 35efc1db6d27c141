/** The route that tells what waits where in a policy. */
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
    documents: count.describe('Of a source or a grid: its documents for all users together, each once.'),
    decisions: count.describe('Documents that wait for somebody to act on them with this block.'),
    gathered: count.describe(
      'What it keeps until more comes: documents to be aggregated, documents that are voted on.',
    ),
    requests: count.describe('Open requests between instances for it, or that it waits for. Absent: none.'),
    retries: count.describe('Events that it failed on and that are tried again. Absent: none.'),
  }),
  { uuid: '6c1f8a52-4a8e-4f57-9a5e-0f6c9bd1a3d2', tag: 'decide', blockType: 'buttonBlock', decisions: 3 },
);

export const waitingRoutes = {
  listWaiting: route({
    method: 'GET',
    path: '/policies/{policyId}/waiting',
    summary: 'Lists the blocks of a policy in the order of its tree, each with what waits there. For its owner only.',
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
