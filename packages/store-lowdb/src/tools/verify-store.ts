/** Checks whether everything in a folder is readable, without changing anything. */
import { demandObject } from '@blockwork/core/adapter';
import { folderOption } from '../files/folder-option.js';
import { layoutOf, versionIn } from '../files/layout.js';
import type { Manifest } from '../manifest/manifest.js';
import type { Damage, TruncatedEnd } from '../recovery/open-report.js';
import { readFolder } from './read-folder.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface Verification {
  /** The format of the folder; opening the store upgrades an older one. */
  readonly format: number;
  /** The number of the last commit. */
  readonly commits: number;
  /** How many of those are in the journal only. */
  readonly inJournal: number;
  readonly tables: number;
  readonly records: number;
  /** What is unavailable, in whole or in part. Empty if the store is intact. */
  readonly damage: readonly Damage[];
  /** The incomplete end of the journal, left by a crash or being written now. */
  readonly truncated?: TruncatedEnd;
  /** Unused snapshot files, left by an interrupted checkpoint. Opening the store removes them. */
  readonly leftovers: readonly string[];
}

/**
 * Reads everything, as opening would. The store may be open in another process. Rejects with `STORE_UNAVAILABLE`, naming
 * the file, if it could not be opened at all.
 */
export async function verifyStore(options: ToolOptions): Promise<Verification> {
  demandObject(options, 'verifyStore', 'options', 'a folder');
  const folder = folderOption('folder', options.folder);
  const files = toolFiles(options);
  const { manifest, state } = await readFolder(files, folder);
  const tables = [...state.tables.tables()];
  const names = (await files.list(layoutOf(folder).snapshots)).map((name) => `snapshots/${name}`);
  return {
    format: manifest.formatOnDisk,
    commits: state.lastSeq,
    inJournal: state.replayed,
    tables: tables.length,
    records: tables.reduce((sum, { size }) => sum + size, 0),
    damage: state.damage,
    ...(state.truncated && { truncated: state.truncated }),
    leftovers: unlisted(names, manifest),
  };
}

function unlisted(names: readonly string[], manifest: Manifest): string[] {
  const listed = new Set([...manifest.snapshots].flatMap(({ value }) => value.map(({ file }) => file)));
  for (const { file } of manifest.revisions) listed.add(file);
  // Newer files belong to a checkpoint that is running.
  const isOld = (name: string): boolean => (versionIn(name)?.upTo ?? 0) <= manifest.upTo;
  return names.filter((name) => !listed.has(name) && isOld(name));
}
