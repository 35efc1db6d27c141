/** Routes that stream the changes of policies as server-sent events. */
import { z } from 'zod';
import { refused } from '../answers.js';
import { policyId } from '../parameter.js';
import { timeoutOf } from '../query-parameters.js';
import { policyEvent } from '../records/policy-event.js';
import { route } from '../route.js';
import type { Answer } from '../route.js';

const position = z
  .string()
  .max(16_000)
  .optional()
  .describe('The `id` of the last event received. The header `Last-Event-ID` takes precedence.');
const timeout = timeoutOf(86_400_000).describe('Milliseconds after which the stream ends; none by default.');

const stream = {
  description: 'Events, each with `id`, `event` (its type) and `data` (JSON). Comments keep the connection alive.',
  mediaType: 'text/event-stream',
  schema: policyEvent,
} as const satisfies Answer;

export const eventRoutes = {
  policyEvents: route({
    method: 'GET',
    path: '/policies/{policyId}/events',
    summary: 'Streams the changes of a policy, from now on or since an event.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId },
    query: { kind: 'listed', schema: z.object({ after: position, timeout }) },
    body: { kind: 'none' },
    answers: { 200: stream, ...refused(400, 404, 422) },
  }),
  events: route({
    method: 'GET',
    path: '/events',
    summary: 'Streams the changes of several policies, or of all.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: {},
    query: {
      kind: 'listed',
      lists: ['policy'],
      schema: z.object({
        policy: z
          .array(z.string().max(200))
          .max(1000)
          .optional()
          .describe('The policies, one parameter each; all policies if absent.'),
        after: position,
        timeout,
      }),
    },
    body: { kind: 'none' },
    answers: { 200: stream, ...refused(404, 422) },
  }),
} as const;
