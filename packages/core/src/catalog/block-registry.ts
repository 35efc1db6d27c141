/** The block types of an engine: the interface blocks of core, and those that an embedder brings. */
import { assertBlockType, type BlockType } from '../block-api/index.js';

export type BlockRegistry = ReadonlyMap<string, BlockType>;

/**
 * Later types replace earlier ones of the same name, so that an embedder can exchange a standard block. Throws
 * `OPTION_INVALID`.
 */
export function blockRegistry(types: readonly BlockType[]): BlockRegistry {
  const registry = new Map<string, BlockType>();
  for (const type of types) {
    assertBlockType(type);
    registry.set(type.type, type);
  }
  return registry;
}
