/** The answers that many routes share: the refusals, and the header of lists. */
import { errorBody } from '@blockwork/core/records';
import { z } from 'zod';
import type { Answer } from './route.js';

const text = (description: string): z.ZodType<string, string> => z.string().describe(description);

const refusals = {
  400: {
    description: 'An identifier that cannot be one, a broken percent-escape, or malformed JSON.',
    schema: errorBody,
  },
  401: {
    description: 'No token, or one that is malformed, expired, not yet valid, foreign or badly signed.',
    schema: errorBody,
    headers: { 'WWW-Authenticate': text('A Bearer challenge (RFC 6750, section 3).') },
  },
  403: { description: 'The caller lacks the permission, or the block is not for their role.', schema: errorBody },
  404: { description: 'The policy, block, tag, group or request does not exist.', schema: errorBody },
  405: {
    description: 'The block does not read, or does not take data.',
    schema: errorBody,
    headers: { Allow: text('What is possible instead; may be empty.') },
  },
  409: { description: 'The present state of the policy, block or request does not allow it.', schema: errorBody },
  413: { description: 'The body is over the limit.', schema: errorBody },
  415: { description: 'The body is of another media type than the route takes.', schema: errorBody },
  422: { description: 'The body or the query fails its schema or a rule; `details` says where.', schema: errorBody },
  500: { description: 'A failure inside; the log has the story under `requestId`.', schema: errorBody },
  503: { description: 'The service or its store cannot be used now.', schema: errorBody },
} as const satisfies Record<number, Answer>;

type Refusal = keyof typeof refusals;

/** The refusals named, beside those that every route below the prefix may give. */
export function refused<const Status extends Refusal>(
  ...statuses: readonly Status[]
): Pick<typeof refusals, Status | 401 | 403 | 500 | 503> {
  const all: Refusal[] = [...statuses, 401, 403, 500, 503];
  const chosen = all.map((status) => [status, refusals[status]] as const);
  // Object.fromEntries forgets which keys went in.
  return Object.fromEntries(chosen) as Pick<typeof refusals, Status | 401 | 403 | 500 | 503>;
}

/** The header of every list (interface, "List policy tokens"). */
export const totalCount = {
  'X-Total-Count': z.string().regex(/^\d+$/).describe('How many items there are in all, before paging.'),
} as const;
