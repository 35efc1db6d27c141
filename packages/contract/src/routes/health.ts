/** Health and readiness. */
import { errorBody } from '../records/error-body.js';
import { z } from 'zod';
import { route } from '../route.js';

export const healthRoutes = {
  health: route({
    method: 'GET',
    path: '/healthz',
    outsidePrefix: true,
    summary: 'Tells whether the process lives.',
    permission: null,
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'It lives.', schema: z.object({ status: z.literal('ok') }) },
      503: { description: 'The engine is closed.', schema: errorBody },
    },
  }),
  ready: route({
    method: 'GET',
    path: '/readyz',
    outsidePrefix: true,
    summary:
      'Tells whether requests should be sent here: the store takes changes, and the server is not about to close.',
    permission: null,
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: {
        description: 'It is ready. Requests between instances wait while the link is not connected.',
        schema: z.object({
          status: z.literal('ready'),
          link: z.enum(['connected', 'disconnected']),
          stuck: z
            .record(z.string(), z.int())
            .describe(
              'Background work that fails and is retried, such as `timers`: for how many policies, requests or messages. `policies` are those whose record is damaged.',
            ),
        }),
      },
      503: { description: 'It is not; the log has the reason under `requestId`.', schema: errorBody },
    },
  }),
} as const;
