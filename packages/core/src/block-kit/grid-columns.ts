/** Grid columns as declared in `uiMetaData`; some open a block from a row. */
import type { ReadContext } from '../block-api/index.js';
import type { BlockNode } from '../policy/index.js';
import { isObject } from '../records/index.js';

export interface GridColumn {
  readonly grid: BlockNode;
  /** Position in `uiMetaData.fields`. */
  readonly index: number;
  /** `bindBlock`: tag of the block the column opens; empty if none. */
  readonly bindBlock: string;
  /** `bindBlocks`: tags of further blocks it opens. */
  readonly bindBlocks: readonly string[];
  /**
   * `bindGroup`: the source whose rows have the column; `null` for all rows. A tag that is not a source of the grid
   * also means all rows, as published policies rely on that.
   */
  readonly source: BlockNode | null;
}

/** Cached because nodes are immutable and a send asks several times. */
const columnsByBlock = new WeakMap<BlockNode, readonly GridColumn[]>();

export function gridColumns(grid: BlockNode): readonly GridColumn[] {
  let columns = columnsByBlock.get(grid);
  if (columns === undefined) columnsByBlock.set(grid, (columns = columnsOf(grid)));
  return columns;
}

function columnsOf(grid: BlockNode): GridColumn[] {
  const { fields } = grid.uiMetaData;
  const columns: readonly unknown[] = Array.isArray(fields) ? fields : [];
  return columns.flatMap((column, index) => {
    if (!isObject(column)) return [];
    const { bindBlock, bindBlocks, bindGroup } = column;
    const tags: readonly unknown[] = Array.isArray(bindBlocks) ? bindBlocks : [];
    return {
      grid,
      index,
      bindBlock: typeof bindBlock === 'string' ? bindBlock : '',
      bindBlocks: tags.filter((tag) => typeof tag === 'string'),
      source: grid.children.find(({ tag }) => tag === bindGroup) ?? null,
    };
  });
}

/** Every column in the policy that opens `ctx.block` from a row. */
export const columnsOpening = ({ policy, block: { tag } }: ReadContext): GridColumn[] =>
  policy.blocks
    .flatMap(gridColumns)
    .filter(({ bindBlock, bindBlocks }) => bindBlock === tag || bindBlocks.includes(tag));
