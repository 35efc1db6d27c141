/** A policy as a text tree, for terminals. */
import { labelOf, type GraphBlock, type PolicyGraph } from './policy-graph.js';

export function treeText({ name, blocks, links }: PolicyGraph): string {
  const lines = blocks.map((block) => {
    const events = links
      .filter(({ from }) => from === block.index)
      .map(({ output, to }) => `${output} -> ${target(blocks, to)}`);
    const whom = block.permissions.length === 0 ? '' : `  [${block.permissions.join(', ')}]`;
    const type = block.isNamed ? `  ${block.blockType}` : '';
    const arrows = events.length === 0 ? '' : `  { ${events.join('; ')} }`;
    return `${branch(block, blocks)}${labelOf(block)}${type}${whom}${arrows}\n`;
  });
  return `${name}\n${lines.join('')}`;
}

const target = (blocks: readonly GraphBlock[], index: number): string => {
  const block = blocks[index];
  return block === undefined ? '?' : labelOf(block);
};

/** The lines leading to a block, one column per ancestor. */
function branch(block: GraphBlock, blocks: readonly GraphBlock[]): string {
  if (block.parent === null) return '';
  let drawn = isLast(block, blocks) ? '└─ ' : '├─ ';
  for (let at = blocks[block.parent]; at !== undefined && at.parent !== null; at = blocks[at.parent]) {
    drawn = `${isLast(at, blocks) ? '   ' : '│  '}${drawn}`;
  }
  return drawn;
}

/** Whether no sibling follows: the next block at this depth or above decides. */
function isLast(block: GraphBlock, blocks: readonly GraphBlock[]): boolean {
  for (let index = block.index + 1; index < blocks.length; index++) {
    const depth = blocks[index]?.depth ?? 0;
    if (depth < block.depth) return true;
    if (depth === block.depth) return false;
  }
  return true;
}
