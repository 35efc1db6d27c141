/** The two errors of reading a policy file. */
import { BlockworkError } from '../../../errors.js';

/** @param pointer JSON pointer into the policy's JSON, if the fault is inside it. */
export const fileInvalid = (reason: string, pointer?: string, cause?: unknown): BlockworkError =>
  fileError('POLICY_FILE_INVALID', reason, pointer, cause);

export const fileTooLarge = (reason: string, pointer?: string): BlockworkError =>
  fileError('POLICY_FILE_TOO_LARGE', reason, pointer);

const fileError = (
  code: 'POLICY_FILE_INVALID' | 'POLICY_FILE_TOO_LARGE',
  reason: string,
  pointer?: string,
  cause?: unknown,
): BlockworkError =>
  new BlockworkError(code, {
    facts: { reason },
    ...(pointer === undefined ? {} : { details: [{ path: pointer, message: reason }] }),
    ...(cause === undefined ? {} : { cause }),
  });
