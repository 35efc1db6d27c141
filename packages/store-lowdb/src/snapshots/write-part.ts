/** Writes a part of a table into a file of its own, through lowdb. */
import { join } from 'node:path';
import { Low } from 'lowdb';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { PartedTable } from './parted-table.js';
import { SnapshotFile } from './snapshot-file.js';
import type { PartFile } from '../manifest/manifest-content.js';
import type { TablePart } from './table-part.js';

/** What the part holds after the commit `upTo`. The folder is left for the caller to flush. */
export async function writePart(
  files: FileSystem,
  layout: Layout,
  table: PartedTable,
  part: TablePart,
  upTo: number,
): Promise<PartFile> {
  const { partition, kind } = table;
  const nameOf = (number: number): string => table.nameOf(number, upTo);
  // The file that the manifest names is never written to.
  if (part.file?.file === nameOf(part.number)) part.number = table.newNumber();
  const file = nameOf(part.number);
  const records = part.take();
  const snapshot = new SnapshotFile(files, join(layout.folder, file));
  await new Low(snapshot, { partition, kind, part: part.number, upTo, records }).write();
  return { file, records: records.length, bytes: snapshot.size };
}
