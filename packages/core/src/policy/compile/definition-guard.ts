/** Guards calls into the code of block types, which may come from third parties. */
import { BlockworkError, isBlockworkError } from '../../errors.js';

/** @throws INTERNAL with the error of the block type as its cause; Blockwork errors pass through. */
export function callDefinition<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw isBlockworkError(cause) ? cause : new BlockworkError('INTERNAL', { cause });
  }
}
