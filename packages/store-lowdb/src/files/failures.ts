/** Turns file system errors into readable `STORE_UNAVAILABLE` errors. */
import { BlockworkError } from '@blockwork/core/adapter';

export const unavailable = (reason: string, cause?: unknown): BlockworkError =>
  new BlockworkError('STORE_UNAVAILABLE', { facts: { reason }, cause });

const explanations: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  EIO: 'the device reported an error',
  ENOENT: 'it does not exist',
  EEXIST: 'it already exists',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EMFILE: 'this process has too many open files',
  ENFILE: 'this machine has too many open files',
  ENAMETOOLONG: 'the path is too long',
};

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * Whether an operation failed for lack of space, before anything reached the device. Also recognizes this as the cause
 * of a `STORE_UNAVAILABLE`.
 */
export function isOutOfSpace(error: unknown): boolean {
  const code = codeOf(error instanceof BlockworkError ? error.cause : error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}

/** An error in words, without a period. */
export function explain(error: unknown): string {
  if (error instanceof BlockworkError) return String(error.facts['reason'] ?? error.message);
  const code = codeOf(error);
  const explanation = code === undefined ? undefined : explanations[code];
  if (explanation !== undefined) return `${explanation} (${code})`;
  return error instanceof Error ? error.message : String(error);
}
