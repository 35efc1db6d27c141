/** Says whether everything in a folder can be read, without changing anything. */
import { versionIn } from '../files/layout.js';
import { layoutOf } from '../files/layout.js';
import type { Damage, TornEnd } from '../recovery/open-report.js';
import { readFolder } from './read-folder.js';
import { folderOption } from '../files/folder-option.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface Verification {
  /** The format of the folder; an older one is upgraded when the store is opened. */
  readonly format: number;
  /** The number of the last commit. */
  readonly commits: number;
  /** Of those, how many only the journal holds. */
  readonly inJournal: number;
  readonly tables: number;
  readonly records: number;
  /** Everything that is not, or not wholly, served. Sound when empty. */
  readonly damage: readonly Damage[];
  /** The half-written end that a crash, or a process that is writing now, has left. */
  readonly torn?: TornEnd;
  /** Files in the folder that belong to nothing: an interrupted checkpoint leaves them, and opening clears them away. */
  readonly leftovers: readonly string[];
}

/**
 * Reads everything as opening would. The store may be open in another process. Rejects with `STORE_UNAVAILABLE`, naming
 * the file, where it could not be opened at all.
 */
export async function verifyStore(options: ToolOptions): Promise<Verification> {
  const folder = folderOption('folder', options.folder);
  const files = toolFiles(options);
  const { manifest, recovered } = await readFolder(files, folder);
  const tables = [...recovered.tables.tables()];
  const named = new Set([...manifest.snapshots].flatMap(({ value }) => value.map(({ file }) => file)));
  for (const { file } of manifest.revisions) named.add(file);
  const found = (await files.list(layoutOf(folder).snapshots)).map((name) => `snapshots/${name}`);
  // What a checkpoint has written since is no leftover.
  const isOld = (name: string): boolean => (versionIn(name)?.upTo ?? 0) <= manifest.upTo;
  return {
    format: manifest.found,
    commits: recovered.lastSeq,
    inJournal: recovered.replayed,
    tables: tables.length,
    records: tables.reduce((sum, { size }) => sum + size, 0),
    damage: recovered.damage,
    ...(recovered.torn && { torn: recovered.torn }),
    leftovers: found.filter((name) => !named.has(name) && isOld(name)),
  };
}
