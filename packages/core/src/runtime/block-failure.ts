/** Errors that say where they happened. */
import { BlockworkError } from '../errors.js';
import type { ErrorCode, ErrorOptions } from '../errors.js';
import type { BlockNode } from '../policy/index.js';

/** Throws an error whose message can name the policy, the block and its type. */
export function fail(policyId: string, block: BlockNode, code: ErrorCode, options: ErrorOptions = {}): never {
  const facts = { policyId, tag: block.tag, blockType: block.blockType, ...options.facts };
  throw new BlockworkError(code, { ...options, facts });
}
