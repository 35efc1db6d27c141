/** Routes about the timers of a policy. */
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { blockTag, policyId } from '../parameter.js';
import { boundedPageQuery } from '../query-parameters.js';
import { route } from '../route.js';

const timer = component(
  'PolicyTimer',
  z.object({
    type: z
      .enum(['tick', 'retry', 'discontinue'])
      .describe(
        '`tick`: scheduled run of a block. `retry`: of an event that a block failed to process. `discontinue`: end of the policy.',
      ),
    due: z.string(),
    tag: z.string().optional().describe('Tag of the block.'),
    input: z.string().optional().describe('The input of the event to retry.'),
    attempt: z.int().optional(),
  }),
  { type: 'tick', due: '2027-01-01T00:00:00.000Z', tag: 'monthly' },
);

export const timerRoutes = {
  listTimers: route({
    method: 'GET',
    path: '/policies/{policyId}/timers',
    summary: 'Lists the pending timers of a policy, next due first. For its owner only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Timers.', schema: z.array(timer), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
  runTimer: route({
    method: 'POST',
    path: '/policies/{policyId}/timers/{tag}/run',
    summary: 'Fires the timer of a block now, in a dry run only. For the owner of the policy only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId, tag: blockTag },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The timer has fired.', schema: z.object({}) },
      ...refused(400, 404, 409, 413, 422),
    },
  }),
} as const;
