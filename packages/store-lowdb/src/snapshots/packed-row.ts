/** Stands for the rows of a part that are still as their file has them. */
import { JsonText } from '../files/checksummed-json.js';
import type { PackedTable } from './packed-table.js';

/** One object for all rows of a table, so that a row costs its id and no more. */
export class PackedRow {
  constructor(private readonly table: PackedTable) {}

  textOf(id: string): JsonText {
    return new JsonText(this.table.textOf(id));
  }
}
