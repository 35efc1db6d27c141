/** Which documents a user sees at a block: what a client may point at when it sends data to it. */
import type { BlockNode } from '../policy/index.js';
import { allOf, isObject } from '../records/index.js';
import type { DocumentRow, Selection } from '../block-api/index.js';
import type { BlockHandle } from '../block-api/index.js';
import type { PolicyDocuments } from '../context/index.js';
import type { ReadScope } from './read-scope.js';

/** The row, from the first place where the user sees it. */
export async function offeredDocument(
  scope: ReadScope,
  block: BlockNode,
  documents: PolicyDocuments,
  id: string,
): Promise<DocumentRow | undefined> {
  const context = scope.context(block);
  for (const selection of await selectionsAt(scope, block, context.children)) {
    const sources = selection.sources.map((source) => ({
      ...source,
      where: allOf({ path: 'id', op: 'eq', value: id }, source.where),
    }));
    const [row] = await documents.rows({ sources }, { limit: 1 });
    if (row !== undefined) return row;
  }
  return undefined;
}

async function selectionsAt(
  scope: ReadScope,
  block: BlockNode,
  children: readonly BlockHandle[],
): Promise<Selection[]> {
  const selections: Selection[] = [];
  const take = async (neighbour: BlockHandle): Promise<void> => {
    if (neighbour.block.options === null) return;
    const selection = await neighbour.select();
    if (selection !== undefined) selections.push(selection);
  };
  for (const child of children) {
    if (child.kind === 'source' && (await child.availability()).outcome === 'allowed') await take(child);
  }
  for (const grid of gridsOffering(scope, block)) {
    if ((await scope.availability(grid)).outcome === 'allowed') await take(scope.context(block).blockHandle(grid));
  }
  return selections;
}

/** Grids that name the block in a column, and the block that holds it. */
const gridsOffering = (scope: ReadScope, block: BlockNode): BlockNode[] => [
  ...(block.parent === null ? [] : [block.parent]),
  ...scope.policy.tree.blocks.filter((candidate) => candidate !== block.parent && names(candidate, block.tag)),
];

function names({ uiMetaData }: BlockNode, tag: string): boolean {
  const { fields } = uiMetaData;
  if (!Array.isArray(fields)) return false;
  return fields.some((field) => {
    if (!isObject(field)) return false;
    const { bindBlock, bindBlocks } = field;
    return bindBlock === tag || (Array.isArray(bindBlocks) && bindBlocks.includes(tag));
  });
}
