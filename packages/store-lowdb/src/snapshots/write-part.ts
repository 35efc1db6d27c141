/** Writes one part of a table to a new snapshot file, through lowdb. */
import { join } from 'node:path';
import { Low } from 'lowdb';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { PartFile } from '../manifest/manifest-content.js';
import { isSeparated } from '../manifest/table-kind.js';
import type { ArrivalOrder } from './arrival-order.js';
import type { MultipartTable } from './multipart-table.js';
import { SnapshotFile } from './snapshot-file.js';
import type { StoredRows } from './stored-rows.js';
import type { TablePart } from './table-part.js';

export interface WrittenPart {
  readonly entry: PartFile;
  /** The frozen rows that were written. */
  readonly rows: ReadonlyMap<string, unknown>;
}

/** Writes the frozen rows as of commit `upTo`. The caller flushes the folder. */
export async function writePart(
  files: FileSystem,
  layout: Layout,
  table: MultipartTable,
  part: TablePart,
  upTo: number,
  stored: StoredRows,
  arrivals: ArrivalOrder,
): Promise<WrittenPart> {
  const { partition, kind } = table;
  const nameOf = (number: number): string => table.nameOf(number, upTo);
  // Never overwrite the file that the manifest lists.
  if (part.file?.file === nameOf(part.number)) part.number = table.nextPartNumber();
  const file = nameOf(part.number);
  const rows = part.takeFrozen();
  const records = await stored.resolveListed(rows);
  const snapshot = new SnapshotFile(files, join(layout.folder, file));
  const places = isSeparated(kind, partition) && { places: [...rows.keys()].map((id) => arrivals.placeOf(id)) };
  await new Low(snapshot, { partition, kind, part: part.number, upTo, records, ...places }).write();
  return { entry: { file, records: records.length, bytes: snapshot.size }, rows };
}
