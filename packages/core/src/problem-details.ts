/** What a schema found wrong, as the details of an error: JSON pointers (RFC 6901) and messages. */
import type { z } from 'zod';
import type { ErrorDetail } from './records/index.js';

export const toDetails = (error: z.ZodError): ErrorDetail[] =>
  error.issues.flatMap((issue) => {
    const path = toPointer(issue.path);
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: `${path}${toPointer([key])}`, message: 'is not known here' }))
      : [{ path, message: issue.message }];
  });

export const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
