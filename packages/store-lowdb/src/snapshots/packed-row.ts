/** The placeholder for a row that is kept as an unparsed line of its file. */
import { JsonText } from '../files/checksummed-json.js';
import type { PackedTable } from './packed-table.js';

/** One object serves all rows of a part, so that a row takes only the memory of its id. */
export class PackedRow {
  constructor(private readonly table: PackedTable) {}

  textOf(id: string): JsonText {
    return new JsonText(this.table.textOf(id));
  }
}
