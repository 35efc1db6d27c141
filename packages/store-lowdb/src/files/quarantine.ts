/** The folder for damaged files, which are kept for inspection instead of deleted. */
import { basename, join } from 'node:path';
import { replaceFile } from './atomic-file.js';
import type { FileSystem } from './file-system.js';
import type { Layout } from './layout.js';

export class Quarantine {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #keepsAll: boolean;

  /** `keepsAll`: whether `discard` deletes nothing. */
  constructor(files: FileSystem, layout: Layout, keepsAll = false) {
    this.#keepsAll = keepsAll;
    this.#files = files;
    this.#folder = layout.quarantine;
  }

  /** Deletes a file or, with `keepsAll`, moves it to the quarantine. */
  async discard(path: string): Promise<void> {
    await (this.#keepsAll ? this.move(path) : this.#files.remove(path));
  }

  /** Copies a file that is still needed in its place. No-op if it is gone. */
  async copy(path: string): Promise<void> {
    const content = await this.#files.read(path);
    if (content !== undefined) await this.add(basename(path), content);
  }

  /** Moves a file, under its own name plus a number if that is taken. */
  async move(path: string): Promise<void> {
    await this.#files.rename(path, await this.#freePath(basename(path)));
    await this.#files.syncFolder(this.#folder);
  }

  async add(name: string, content: Buffer): Promise<void> {
    await replaceFile(this.#files, await this.#freePath(name), [content]);
    await this.#files.syncFolder(this.#folder);
  }

  async #freePath(name: string): Promise<string> {
    await this.#files.makeFolder(this.#folder);
    const takenNames = new Set(await this.#files.list(this.#folder));
    let free = name;
    for (let n = 2; takenNames.has(free); n++) free = `${name}.${n}`;
    return join(this.#folder, free);
  }
}
