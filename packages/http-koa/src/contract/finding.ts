/** A problem of a policy. */
import { z } from 'zod';

export const finding = z.looseObject({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  /** JSON pointer (RFC 6901) into the configuration of the policy. */
  path: z.string(),
  block: z.string().optional(),
  tag: z.string().optional(),
});
