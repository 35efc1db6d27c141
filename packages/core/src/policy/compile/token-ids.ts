/** Lists the tokens that the blocks of a policy name. */
import { isObject, type BlockSource } from '../../records/index.js';
import { walkTree, type BlockPosition } from '../model/tree-walk.js';

/**
 * Distinct ids in tree order. A module or tool names tokens through its variables: a variable of type Token holds the id
 * or the name of the member with the id. Blocks inside a tool belong to the tool and are skipped; those inside a module
 * are not.
 */
export function tokenIds(config: BlockSource): string[] {
  const ids = new Set<string>();
  const inTools = new Set<BlockPosition>();
  for (const place of walkTree(config)) {
    const { parent, block } = place;
    if (parent !== null && (parent.block.blockType === 'tool' || inTools.has(parent))) inTools.add(place);
    else for (const id of named(block)) if (typeof id === 'string' && id !== '') ids.add(id);
  }
  return [...ids];
}

function named(block: BlockSource): unknown[] {
  if (block.blockType !== 'module' && block.blockType !== 'tool') return [block['tokenId']];
  const variables: unknown[] = Array.isArray(block['variables']) ? block['variables'] : [];
  return variables.filter(isObject).flatMap(({ type, name, value }) => {
    if (type !== 'Token') return [];
    return [isText(value) ? value : isText(name) ? block[name] : undefined];
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
