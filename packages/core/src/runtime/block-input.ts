/** Data that a client sends to a block, checked against the block type's schema before the block sees it. */
import type { BlockNode } from '../policy/index.js';
import { describeDetails, toDetails } from '../problem-details.js';
import { NESTING_AT_MOST, nestsTooDeep } from '../records/index.js';
import { fail } from './block-failure.js';
import type { BlockType } from '../block-api/index.js';

/** Throws `INPUT_INVALID` with a JSON pointer for every failure. Without a schema the data is passed through. */
export function readInput(type: BlockType, input: unknown, policyId: string, block: BlockNode): unknown {
  if (nestsTooDeep(input)) {
    const reason = `Block "${block.tag}" takes no data of more than ${String(NESTING_AT_MOST)} levels.`;
    return fail(policyId, block, 'INPUT_INVALID', {
      facts: { reason },
      details: [{ path: '', message: 'nests too deep' }],
    });
  }
  const parsed = type.input?.safeParse(input);
  if (parsed === undefined) return input;
  if (parsed.success) return parsed.data;
  const details = toDetails(parsed.error);
  const reason = `Block "${block.tag}" (${block.blockType}) does not take this data: ${describeDetails(details)}`;
  return fail(policyId, block, 'INPUT_INVALID', { facts: { reason }, details });
}
