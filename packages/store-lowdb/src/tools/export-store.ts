/** Writes everything that a store holds as lines of JSON. */
import { unavailable } from '../files/failures.js';
import { readFolder } from './read-folder.js';
import { folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface ExportOptions extends ToolOptions {
  /** Takes the text, a piece at a time. */
  readonly write: (text: string) => Promise<void>;
}

/** The first line. */
export interface ExportHead {
  readonly export: 'blockwork-store';
  readonly version: 1;
  /** The number of the last commit. */
  readonly commits: number;
}

/** The lines between: records in the order of insertion, then revisions. */
export type ExportLine =
  | { readonly kind: string; readonly partition: string; readonly value: { readonly id: string } }
  | { readonly key: string; readonly revision: number };

/** The last line: a file without it was cut short. */
export interface ExportEnd {
  readonly records: number;
  readonly revisions: number;
}

const pieceSize = 2 ** 16;

/**
 * The store may be open in another process; what is written is what it held at one moment. Rejects with
 * `STORE_UNAVAILABLE` where something is damaged, before anything is written: nobody shall take a part for the whole.
 */
export async function exportStore(options: ExportOptions): Promise<ExportEnd> {
  const folder = folderOption('folder', options.folder);
  const { recovered } = await readFolder(toolFiles(options), folder);
  const [first] = recovered.damage;
  if (first !== undefined)
    throw unavailable(`${first.file} in ${folder} is damaged: ${first.reason}. Repair the store first`);
  const end = { records: 0, revisions: 0 };
  let piece = '';
  const say = async (line: ExportHead | ExportLine | ExportEnd): Promise<void> => {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length < pieceSize) return;
    await options.write(piece);
    piece = '';
  };
  await say({ export: 'blockwork-store', version: 1, commits: recovered.lastSeq });
  for (const { partition, kind } of recovered.tables.tables()) {
    for (const value of recovered.tables.values(kind, partition)) {
      await say({ kind, partition, value });
      end.records += 1;
    }
  }
  for (const [key, revision] of recovered.tables.revisions) {
    await say({ key, revision });
    end.revisions += 1;
  }
  await say(end);
  await options.write(piece);
  return end;
}
