/** Which tokens the blocks of a policy name. */
import { isObject, type BlockSource } from '../../records/index.js';
import { placesOf, type Place } from '../model/tree-walk.js';

/**
 * Ids in the order of the tree, parents first, each once. A module or tool names tokens through its variables: a
 * variable of type Token holds the id itself, or the name of the member that holds it. The blocks inside a tool
 * belong to the tool and are not looked at; those inside a module are.
 */
export function tokenIds(config: BlockSource): string[] {
  const ids = new Set<string>();
  const hidden = new Set<Place>();
  for (const place of placesOf(config)) {
    const { parent, block } = place;
    if (parent !== null && (parent.block.blockType === 'tool' || hidden.has(parent))) hidden.add(place);
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
