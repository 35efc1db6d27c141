/** The health check. */
import { errorBody } from '../records/error-body.js';
import { z } from 'zod';
import { route } from '../route.js';

export const healthRoutes = {
  health: route({
    method: 'GET',
    path: '/healthz',
    outsidePrefix: true,
    summary: 'Tells whether the service is available.',
    permission: null,
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The service is available.', schema: z.object({ status: z.literal('ok') }) },
      503: { description: 'The engine is closed, or the server is closing.', schema: errorBody },
    },
  }),
} as const;
