/** The block types of an engine: the interface blocks of core, and those that an embedder brings. */
import { BlockworkError } from '../errors.js';
import type { Block, BlockType } from '../block-api/index.js';

export type BlockRegistry = ReadonlyMap<string, Block>;

/** Later types replace earlier ones of the same name, so that an embedder can exchange a standard block. */
export function blockRegistry(types: readonly BlockType[]): BlockRegistry {
  const registry = new Map<string, Block>();
  for (const type of types) {
    const block = typeof type === 'function' ? new type() : type;
    const name: unknown = (block as Partial<Block>).about?.type;
    if (typeof name !== 'string' || name === '' || (block as Partial<Block>).options === undefined) {
      throw new BlockworkError('OPTION_INVALID', {
        facts: { option: 'blocks', reason: 'every block type needs `about.type` and an `options` schema' },
      });
    }
    registry.set(name, block);
  }
  return registry;
}
