/** The body of every refused request (interface, "Error body"; the fields beyond the first two are additions). */
import { z } from 'zod';

export const errorDetail = z.object({
  /** JSON pointer (RFC 6901) into the body, or the name of a parameter. */
  path: z.string(),
  message: z.string(),
});

export const errorBody = z.object({
  /** The HTTP status. */
  code: z.number().int(),
  message: z.string(),
  /** A stable code from the error table. */
  error: z.string().optional(),
  details: z.array(errorDetail).optional(),
  requestId: z.string().optional(),
});

export type ErrorDetail = z.infer<typeof errorDetail>;
export type ErrorBody = z.infer<typeof errorBody>;
