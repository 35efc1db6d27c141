/** The routes for pending work per block of a policy. */
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { policyId } from '../parameter.js';
import { boundedPageQuery } from '../query-parameters.js';
import { route } from '../route.js';

const count = z.int().min(0).optional();
const aggregation = count.describe('Documents held back: to be aggregated, or to be voted on.');
const others = {
  uuid: z.string(),
  tag: z.string(),
  blockType: z.string(),
  documents: count.describe('For a source or grid: the number of distinct documents across all users.'),
  decisions: count.describe('Documents waiting for a user to act on them with this block.'),
  requests: count.describe('Open requests between instances addressed to it or awaited by it. Absent if none.'),
  retries: count.describe('Failed events to be retried. Absent if none.'),
};
const example = {
  uuid: '6c1f8a52-4a8e-4f57-9a5e-0f6c9bd1a3d2',
  tag: 'decide',
  blockType: 'buttonBlock',
  decisions: 3,
};

const pendingWorkAtBlock = component('PendingWorkAtBlock', z.object({ ...others, aggregation }), example);
const waitingAtBlock = component('WaitingAtBlock', z.object({ ...others, gathered: aggregation }), example);

/** What both routes have. */
const ofPolicy = {
  method: 'GET',
  permission: 'POLICIES_POLICY_MANAGE',
  params: { policyId },
  query: { kind: 'listed', schema: boundedPageQuery },
  body: { kind: 'none' },
} as const;

export const pendingWorkRoutes = {
  listPendingWork: route({
    ...ofPolicy,
    path: '/policies/{policyId}/pending-work',
    summary: 'Lists the blocks of a policy in tree order with their pending work. For its owner only.',
    answers: {
      200: { description: 'Blocks.', schema: z.array(pendingWorkAtBlock), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
  listWaiting: route({
    ...ofPolicy,
    path: '/policies/{policyId}/waiting',
    deprecated: true,
    summary: 'The former name of `listPendingWork`, with `gathered` for `aggregation`. For its owner only.',
    answers: {
      200: { description: 'Blocks.', schema: z.array(waitingAtBlock), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
} as const;
