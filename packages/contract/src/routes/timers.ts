/** Routes about what a policy does by itself. */
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
      .describe('`tick`: by a timetable. `retry`: of an event that a block failed on. `discontinue`: the end.'),
    due: z.string(),
    tag: z.string().optional().describe('Of the block.'),
    input: z.string().optional().describe('The event that is tried again.'),
    attempt: z.int().optional(),
  }),
  { type: 'tick', due: '2027-01-01T00:00:00.000Z', tag: 'monthly' },
);

export const timerRoutes = {
  listTimers: route({
    method: 'GET',
    path: '/policies/{policyId}/timers',
    summary: 'Lists what a policy does by itself, the next first. For its owner only.',
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
    summary: 'Runs the timer of a block now, in a dry run only. For the owner of the policy only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId, tag: blockTag },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'It has run.', schema: z.object({}) }, ...refused(400, 404, 409, 413, 422) },
  }),
} as const;
