/** Copies what a store consists of into another folder, so that the copy is a store as it was at one moment. */
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { layoutOf } from '../files/layout.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { readSegment } from '../journal/segment-reader.js';
import { whileUnchanged } from '../manifest/while-unchanged.js';
import { assertEmpty, folderOption, invalidOption } from '../files/folder-option.js';

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/** `to`, given as `option`, must be empty or not exist, and lie elsewhere. Rejects with `OPTION_INVALID`. */
export async function copyInto(files: FileSystem, from: string, option: string, to: string): Promise<Copied> {
  const target = folderOption(option, to);
  if (`${target}/`.startsWith(`${from}/`)) throw invalidOption(option, `${target} lies within ${from}`);
  await assertEmpty(files, option, target);
  return copyStore(files, from, target);
}

/**
 * `store.json` comes last: a copy that was interrupted is no store. The store may be open in another process: files of
 * its snapshots never change, and its journal only grows, so what the manifest names is there whole, or gone because a
 * newer manifest names other files.
 */
async function copyStore(files: FileSystem, from: string, to: string): Promise<Copied> {
  const target = layoutOf(to);
  for (const folder of [target.folder, target.snapshots, target.journal]) await files.makeFolder(folder);
  const sizes = new Map<string, number>();
  const put = async (file: string, content: Buffer): Promise<void> => {
    await replaceFile(files, join(to, file), [content]);
    sizes.set(file, content.length);
  };

  await whileUnchanged(files, from, async (manifest, text) => {
    const named = snapshotFiles(manifest);
    for (const file of named) {
      if (sizes.has(file)) continue;
      const content = await files.read(join(from, file));
      if (content !== undefined) await put(file, content);
      else if (!isKnownAsDamaged(manifest, file)) throw unavailable(`${join(from, file)} is missing`);
    }
    for (const entry of manifest.segments) await put(`journal/${entry.file}`, await readJournal(files, from, entry));
    const wanted = new Set([...named, ...manifest.segments.map(({ file }) => `journal/${file}`)]);
    for (const file of [...sizes.keys()].filter((copied) => !wanted.has(copied))) {
      await files.remove(join(to, file));
      sizes.delete(file);
    }
    for (const folder of [target.snapshots, target.journal]) await files.syncFolder(folder);
    await put('store.json', text);
    return { value: undefined, isCertain: true };
  });
  await files.syncFolder(to);
  return { files: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}

const snapshotFiles = ({ snapshots, revisions }: Manifest): string[] => [
  ...[...snapshots].flatMap(({ value }) => value.map(({ file }) => file)),
  ...revisions.map(({ file }) => file),
];

const isKnownAsDamaged = ({ damaged }: Manifest, file: string): boolean =>
  [...damaged].some(({ value }) => value.some((entry) => entry.file === file));

/** Without the line that is being written. */
async function readJournal(files: FileSystem, from: string, entry: SegmentEntry): Promise<Buffer> {
  const path = join(layoutOf(from).journal, entry.file);
  const bytes = await files.read(path);
  if (bytes === undefined) throw unavailable(`${path} is missing`);
  return bytes.subarray(0, readSegment(bytes, entry.first, entry.last)?.tornAt ?? bytes.length);
}
