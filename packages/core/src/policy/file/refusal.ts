/** The two ways in which a policy file is refused. */
import { BlockworkError } from '../../errors.js';

/** @param pointer JSON pointer into the policy's JSON, where the fault has a place there. */
export const fileInvalid = (reason: string, pointer?: string, cause?: unknown): BlockworkError =>
  refusal('POLICY_FILE_INVALID', reason, pointer, cause);

export const fileTooLarge = (reason: string, pointer?: string): BlockworkError =>
  refusal('POLICY_FILE_TOO_LARGE', reason, pointer);

const refusal = (
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
