/** Calls into the code of a block type, which may be anybody's. */
import { BlockworkError, isBlockworkError } from '../../errors.js';

/** @throws INTERNAL, with what the block type threw as its cause. */
export function callDefinition<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw isBlockworkError(cause) ? cause : new BlockworkError('INTERNAL', { cause });
  }
}
