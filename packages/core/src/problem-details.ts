/** Schema failures as error details: JSON pointers (RFC 6901) and messages. */
import type { z } from 'zod';
import type { ErrorDetail } from './records/index.js';

export const toDetails = (error: z.ZodError): ErrorDetail[] =>
  error.issues.flatMap((issue) => {
    const path = toPointer(issue.path);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: `${path}${toPointer([key])}`, message: 'is not known here' }))
      : [{ path, message: messageOf(issue) }];
  });

const SHOWN_AT_MOST = 3;

/** Summarizes the first details in a sentence; the error has all of them. `whole` names the target of an empty path. */
export function describeDetails(details: readonly ErrorDetail[], whole = 'the body'): string {
  const shown = details.slice(0, SHOWN_AT_MOST).map(({ path, message }) => `${path || whole} ${message}`);
  const more = details.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('; ');
}

const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Messages that continue a sentence beginning with the path, unlike zod's own. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  const received = /received (\w+)/.exec(issue.message)?.[1];
  if (received === undefined) return issue.message;
  return received === 'undefined' ? 'is missing' : `must be of type ${issue.expected}, not ${received}`;
}
