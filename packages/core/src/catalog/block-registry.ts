/** The block types of an engine: the interface blocks of core, and those that an embedder brings. */
import { assertBlockType, fromLegacy, isLegacy, type BlockType, type LegacyBlock } from '../block-api/index.js';

export type BlockRegistry = ReadonlyMap<string, BlockType>;

/**
 * Later types replace earlier ones of the same name, so that an embedder can exchange a standard block. Throws
 * `OPTION_INVALID`.
 */
export function blockRegistry(types: readonly (BlockType | LegacyBlock)[]): BlockRegistry {
  const registry = new Map<string, BlockType>();
  for (const each of types) {
    const type = isLegacy(each) ? fromLegacy(each) : each;
    assertBlockType(type);
    registry.set(type.type, type);
  }
  return registry;
}
