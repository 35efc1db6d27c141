/** Damaged files are kept apart, for a person to look at: nothing is thrown away. */
import { basename, join } from 'node:path';
import { replaceFile } from './atomic-file.js';
import type { FileSystem } from './file-system.js';
import type { Layout } from './layout.js';

export class Quarantine {
  readonly #files: FileSystem;
  readonly #folder: string;

  constructor(files: FileSystem, layout: Layout) {
    this.#files = files;
    this.#folder = layout.quarantine;
  }

  /** Puts a copy of a file in, which itself is still needed where it is, or was moved in before. */
  async copy(path: string): Promise<void> {
    const content = await this.#files.read(path);
    if (content !== undefined) await this.keep(basename(path), content);
  }

  /** Moves a file in; its name says which one it was, and a number is added when that name is taken. */
  async move(path: string): Promise<void> {
    await this.#files.rename(path, await this.#freePath(basename(path)));
    await this.#files.syncFolder(this.#folder);
  }

  async keep(name: string, content: Buffer): Promise<void> {
    await replaceFile(this.#files, await this.#freePath(name), [content]);
    await this.#files.syncFolder(this.#folder);
  }

  async #freePath(name: string): Promise<string> {
    await this.#files.makeFolder(this.#folder);
    const taken = new Set(await this.#files.list(this.#folder));
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name}.${n}`;
    return join(this.#folder, free);
  }
}
