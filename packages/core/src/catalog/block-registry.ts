/** An engine's block types: core's interface blocks and those supplied by the embedder. */
import { assertBlockType, type BlockType } from '../block-api/index.js';

export type BlockRegistry = ReadonlyMap<string, BlockType>;

/**
 * Later types replace earlier ones of the same name, so embedders can override standard blocks. Throws
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
