/** Lists the tokens that the blocks of a policy name. */
import type { BlockSource } from '../../records/index.js';
import { isModule, resolveName, moduleVariables, variableTypes, type EnclosedSource } from '../model/module.js';
import { walkTree, type BlockPosition } from '../model/tree-walk.js';

/**
 * Distinct ids in tree order. A module or tool names tokens through its variables of type Token. Blocks inside a tool
 * belong to the tool and are skipped; those inside a module are not.
 */
export function tokenIds(config: BlockSource): string[] {
  const ids = new Set<string>();
  const inTools = new Set<BlockPosition>();
  for (const place of walkTree(config)) {
    const { parent, block } = place;
    if (parent !== null && (parent.block.blockType === 'tool' || inTools.has(parent))) inTools.add(place);
    else for (const id of named(block)) if (id !== '') ids.add(resolveName(id, 'token', enclosedSource(parent)));
  }
  return [...ids];
}

function named(block: BlockSource): string[] {
  if (isModule(block))
    return moduleVariables(block).flatMap(({ type, value }) => (type === variableTypes.token ? value : []));
  const { tokenId } = block;
  return typeof tokenId === 'string' ? [tokenId] : [];
}

const enclosedSource = (position: BlockPosition | null): EnclosedSource | null =>
  position && { source: position.block, parent: enclosedSource(position.parent) };
