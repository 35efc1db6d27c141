/** Answers that many routes share: errors, and the header of lists. */
import { z } from 'zod';
import { errorBody } from './records/error-body.js';
import type { Answer } from './route.js';

const text = (description: string): z.ZodString => z.string().describe(description);

/** Names of the error responses in OpenAPI documents, by status. */
export const refusalNames = {
  400: 'Malformed',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'Unknown',
  405: 'NotAllowed',
  409: 'Conflict',
  412: 'Outdated',
  413: 'TooLarge',
  415: 'UnsupportedType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
} as const satisfies Record<Refusal, string>;

export const refusals = {
  400: {
    description: 'A malformed identifier, an invalid percent-escape, or malformed JSON.',
    schema: errorBody,
  },
  401: {
    description:
      'The token is missing, malformed, expired, not yet valid, issued by an untrusted issuer, or has an invalid signature.',
    schema: errorBody,
    headers: { 'WWW-Authenticate': text('A Bearer challenge (RFC 6750, section 3).') },
  },
  403: { description: 'The caller lacks the permission, or the role that the block requires.', schema: errorBody },
  404: { description: 'The policy, block, tag, group or request does not exist.', schema: errorBody },
  405: {
    description: 'The block cannot be read, or accepts no data.',
    schema: errorBody,
    headers: { Allow: text('The allowed methods; may be empty.') },
  },
  409: { description: 'The current state of the policy, block or request does not allow it.', schema: errorBody },
  412: {
    description: 'What `If-Match` names is not the present revision; `details` lists what was changed since.',
    schema: errorBody,
  },
  413: {
    description: 'The body, the response or the resulting write exceeds a limit; the message names the limit.',
    schema: errorBody,
  },
  415: { description: 'The route does not accept this media type.', schema: errorBody },
  422: { description: 'The body or the query is invalid; `details` lists the problems.', schema: errorBody },
  429: {
    description: 'The caller exceeds the rate limit; the message names the limit.',
    schema: errorBody,
    headers: { 'Retry-After': text('Seconds.') },
  },
  500: { description: 'Internal error; the log has the details under `requestId`.', schema: errorBody },
  503: {
    description: 'The service or its store is unavailable.',
    schema: errorBody,
    headers: { 'Retry-After': text('Seconds; absent if a retry cannot help.').optional() },
  },
} as const satisfies Record<number, Answer>;

type Refusal = keyof typeof refusals;

/** The given error responses, plus those that every route below the prefix may return. */
export function refused<const Status extends Refusal>(
  ...statuses: readonly Status[]
): Pick<typeof refusals, Status | 401 | 403 | 429 | 500 | 503> {
  const all: Refusal[] = [...statuses, 401, 403, 429, 500, 503];
  const chosen = all.map((status) => [status, refusals[status]] as const);
  // Object.fromEntries loses the keys in its return type.
  return Object.fromEntries(chosen) as Pick<typeof refusals, Status | 401 | 403 | 429 | 500 | 503>;
}

/** The header of every list (interface, "List policy tokens"). */
export const totalCount = {
  'X-Total-Count': z.string().regex(/^\d+$/).describe('Number of items before paging.'),
} as const;
