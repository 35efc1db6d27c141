/** Columns of grids that open a block from a row. */
export { columnsOpening } from '@blockwork/core/block';
