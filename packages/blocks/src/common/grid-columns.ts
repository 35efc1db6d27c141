/** Columns of grids that open a block from a row. */
import { isObject, type BlockNode, type ReadContext } from '@blockwork/core/block';

export interface GridColumn {
  readonly grid: BlockNode;
  /** The source whose rows have the column; `null` where all rows of the grid have it. */
  readonly source: BlockNode | null;
}

/** Where a column names a source that the grid does not have, it is there for all rows: published policies do that. */
export const columnsOpening = ({ policy, block }: ReadContext): GridColumn[] =>
  policy.blocks.flatMap((grid) => {
    const { fields } = grid.uiMetaData;
    const columns: readonly unknown[] = Array.isArray(fields) ? fields : [];
    return columns
      .filter(isObject)
      .filter(({ bindBlock, bindBlocks }) => {
        return bindBlock === block.tag || (Array.isArray(bindBlocks) && bindBlocks.includes(block.tag));
      })
      .map(({ bindGroup }) => ({ grid, source: grid.children.find(({ tag }) => tag === bindGroup) ?? null }));
  });
