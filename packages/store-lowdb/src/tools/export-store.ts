/** Exports the content of a store as lines of JSON. */
import { unavailable } from '../files/failures.js';
import { folderOption } from '../files/folder-option.js';
import type { RecoveredState } from '../recovery/recovered-state.js';
import { readFolder } from './read-folder.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface ExportOptions extends ToolOptions {
  /** Receives the text in chunks. */
  readonly write: (text: string) => Promise<void>;
}

/** The first line. */
export interface ExportHead {
  readonly export: 'blockwork-store';
  readonly version: 1;
  /** The number of the last commit. */
  readonly commits: number;
}

/** The lines in between: records in insertion order, then revisions. */
export type ExportLine =
  | { readonly kind: string; readonly partition: string; readonly value: { readonly id: string } }
  | { readonly key: string; readonly revision: number };

/** The last line; a file without it is incomplete. */
export interface ExportEnd {
  readonly records: number;
  readonly revisions: number;
}

const chunkSize = 2 ** 16;

/**
 * The store may be open in another process; the export shows one moment. Rejects with `STORE_UNAVAILABLE` before anything
 * is written if the store is damaged, so that an export is never partial.
 */
export async function exportStore(options: ExportOptions): Promise<ExportEnd> {
  const folder = folderOption('folder', options.folder);
  const { state } = await readFolder(toolFiles(options), folder);
  const [first] = state.damage;
  if (first !== undefined)
    throw unavailable(`${first.file} in ${folder} is damaged: ${first.reason}. Repair the store first`);
  const lines = linesOf(state);
  let chunk = '';
  for (let line = lines.next(); ; line = lines.next()) {
    chunk += `${JSON.stringify(line.value)}\n`;
    if (line.done === true || chunk.length >= chunkSize) {
      await options.write(chunk);
      chunk = '';
    }
    if (line.done === true) return line.value;
  }
}

function* linesOf({ lastSeq, tables }: RecoveredState): Generator<ExportHead | ExportLine, ExportEnd> {
  const end = { records: 0, revisions: 0 };
  yield { export: 'blockwork-store', version: 1, commits: lastSeq };
  for (const { partition, kind } of tables.tables()) {
    for (const value of tables.values(kind, partition)) {
      yield { kind, partition, value };
      end.records += 1;
    }
  }
  for (const [key, revision] of tables.revisions) {
    yield { key, revision };
    end.revisions += 1;
  }
  return end;
}
