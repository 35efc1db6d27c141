/** The body of every error (interface, "Error body"; the fields after the first two are additions). */
import { z } from 'zod';
import { component } from '../component.js';

export const errorDetail = z.object({
  path: z.string().describe('JSON pointer (RFC 6901) into the body, or the name of a parameter.'),
  message: z.string(),
});

export const errorBody = component(
  'Error',
  z.object({
    code: z.int().describe('The HTTP status.'),
    message: z.string(),
    error: z.string().optional().describe('A stable code.'),
    details: z.array(errorDetail).optional().describe('Every problem with the request.'),
    requestId: z.string().optional().describe('The `X-Request-Id` of the response, also in the log.'),
  }),
  {
    code: 404,
    message: 'There is no policy "p1".',
    error: 'POLICY_UNKNOWN',
    requestId: '5f1c1f0e-8f43-4d3c-9b8e-0c7f6c1f2a11',
  },
);
