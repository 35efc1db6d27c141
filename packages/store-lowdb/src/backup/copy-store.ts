/** Copies a store to another folder, as it is at one moment. */
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-file.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { assertEmpty, folderOption, invalidOption } from '../files/folder-option.js';
import { layoutOf, type Layout } from '../files/layout.js';
import { readSegment, withoutReserve } from '../journal/segment-reader.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';
import type { Manifest } from '../manifest/manifest.js';
import { withStableManifest } from '../manifest/with-stable-manifest.js';

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/**
 * `to`, passed as `option`, must be empty or missing, and lie outside `from`. Rejects with `OPTION_INVALID`.
 *
 * The store may be open in another process: snapshot files never change and the journal only grows, so a file that the
 * manifest lists is complete, or gone because a newer manifest lists others. `store.json` is copied last: without it, an
 * interrupted copy is not a store.
 */
export async function copyStore(files: FileSystem, from: string, option: string, to: string): Promise<Copied> {
  const target = folderOption(option, to);
  if (`${target}/`.startsWith(`${from}/`)) throw invalidOption(option, `${target} is inside ${from}`);
  await assertEmpty(files, option, target);
  return new StoreCopy(files, layoutOf(from), layoutOf(target)).run();
}

class StoreCopy {
  readonly #files: FileSystem;
  readonly #from: Layout;
  readonly #to: Layout;
  readonly #sizes = new Map<string, number>();

  constructor(files: FileSystem, from: Layout, to: Layout) {
    this.#files = files;
    this.#from = from;
    this.#to = to;
  }

  async run(): Promise<Copied> {
    for (const folder of [this.#to.folder, this.#to.snapshots, this.#to.journal]) await this.#files.makeFolder(folder);
    await withStableManifest(this.#files, this.#from.folder, async (manifest, text) => {
      await this.#copyListed(manifest);
      for (const folder of [this.#to.snapshots, this.#to.journal]) await this.#files.syncFolder(folder);
      await this.#put('store.json', text);
      return { value: undefined, isCertain: true };
    });
    await this.#files.syncFolder(this.#to.folder);
    const sizes = [...this.#sizes.values()];
    return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async #copyListed(manifest: Manifest): Promise<void> {
    const snapshots = snapshotFiles(manifest);
    for (const file of snapshots) if (!this.#sizes.has(file)) await this.#copySnapshot(file, manifest);
    for (const entry of manifest.segments) await this.#put(`journal/${entry.file}`, await this.#readSegment(entry));
    const listed = new Set([...snapshots, ...manifest.segments.map(({ file }) => `journal/${file}`)]);
    for (const file of [...this.#sizes.keys()].filter((copied) => !listed.has(copied))) {
      await this.#files.remove(join(this.#to.folder, file));
      this.#sizes.delete(file);
    }
  }

  async #copySnapshot(file: string, manifest: Manifest): Promise<void> {
    const path = join(this.#from.folder, file);
    const content = await this.#files.read(path);
    if (content !== undefined) await this.#put(file, content);
    else if (!isKnownAsDamaged(manifest, file)) throw unavailable(`${path} is missing`);
  }

  /** The content of a segment, without its reserve and a line that is being written. */
  async #readSegment({ file, first, last }: SegmentEntry): Promise<Buffer> {
    const path = join(this.#from.journal, file);
    const read = await this.#files.read(path);
    if (read === undefined) throw unavailable(`${path} is missing`);
    const bytes = withoutReserve(read);
    return bytes.subarray(0, (await readSegment(bytes, first, last))?.validLength ?? bytes.length);
  }

  async #put(file: string, content: Buffer): Promise<void> {
    await replaceFile(this.#files, join(this.#to.folder, file), [content]);
    this.#sizes.set(file, content.length);
  }
}

const snapshotFiles = ({ snapshots, revisions }: Manifest): string[] => [
  ...[...snapshots].flatMap(({ value }) => value.map(({ file }) => file)),
  ...revisions.map(({ file }) => file),
];

const isKnownAsDamaged = ({ damaged }: Manifest, file: string): boolean =>
  [...damaged].some(({ value }) => value.some((entry) => entry.file === file));
