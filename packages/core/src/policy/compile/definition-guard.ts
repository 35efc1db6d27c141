/** Guards calls into the code of block types, which may come from third parties. */
import { BlockworkError, isBlockworkError } from '../../errors.js';
import { shownOf } from '../model/hidden-texts.js';
import type { BlockNode } from '../model/policy-model.js';

/**
 * @throws INTERNAL naming the member and the block, with the original error as its cause; Blockwork errors pass
 * through.
 */
export function callDefinition<T>(block: BlockNode, member: string, call: () => T): T {
  const { blockType, tag } = block;
  try {
    return call();
  } catch (cause) {
    if (isBlockworkError(cause)) throw cause;
    const where = `\`${member}\` of the block type "${blockType}" threw "${shownOf(block, textOf(cause))}" at block "${tag}"`;
    throw new BlockworkError('INTERNAL', { cause, where });
  }
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
