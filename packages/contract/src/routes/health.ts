/** Health and readiness. */
import { errorBody } from '../records/error-body.js';
import { z } from 'zod';
import { route } from '../route.js';

export const healthRoutes = {
  health: route({
    method: 'GET',
    path: '/healthz',
    outsidePrefix: true,
    summary: 'Liveness: whether the process is alive.',
    permission: null,
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The process is alive.', schema: z.object({ status: z.literal('ok') }) },
      503: { description: 'The engine is closed.', schema: errorBody },
    },
  }),
  ready: route({
    method: 'GET',
    path: '/readyz',
    outsidePrefix: true,
    summary:
      'Readiness: whether to route requests here, that is, the store accepts writes and the server is not shutting down.',
    permission: null,
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: {
        description: 'Ready. Requests between instances are queued while the link is not connected.',
        schema: z.object({
          status: z.literal('ready'),
          link: z.enum(['connected', 'disconnected']),
        }),
      },
      503: { description: 'Not ready; the log has the reason under `requestId`.', schema: errorBody },
    },
  }),
} as const;
