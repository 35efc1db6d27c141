/** The policy files of one folder. No name, link or path leads out of it. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { randomIds } from '@blockwork/core/adapter';
import { defaultPolicyFileLimits } from '@blockwork/core';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';

/** Limits of a listing: so many files, in folders so deep. */
const MOST_FILES = 500;
const DEEPEST = 6;

export interface ReadFile {
  readonly bytes: Uint8Array;
  /** Tells one content from another. */
  readonly hash: string;
}

export class FolderFiles {
  private constructor(private readonly root: string) {}

  /** Throws if the folder does not exist. */
  static async open(folder: string): Promise<FolderFiles> {
    const root = await realpath(folder);
    // Names the path in its error.
    await readdir(root);
    return new FolderFiles(root);
  }

  /** The names of its policy files, with `/`, sorted. Links are left out. */
  async names(): Promise<{ readonly names: readonly string[]; readonly isCut: boolean }> {
    const names: string[] = [];
    const folders: { readonly path: string; readonly depth: number }[] = [{ path: this.root, depth: 0 }];
    for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
      const { path, depth } = next;
      for (const entry of await readdir(path, { withFileTypes: true })) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const file = join(path, entry.name);
        if (entry.isDirectory() && depth < DEEPEST) folders.push({ path: file, depth: depth + 1 });
        if (entry.isFile() && isPolicyName(entry.name)) names.push(relative(this.root, file).split(sep).join('/'));
      }
      if (names.length > MOST_FILES) break;
    }
    return { names: names.sort().slice(0, MOST_FILES), isCut: names.length > MOST_FILES };
  }

  /** Throws `FILE_OUTSIDE`, `FILE_UNKNOWN`, `POLICY_FILE_TOO_LARGE`. */
  async read(name: string): Promise<ReadFile> {
    const path = await this.#existing(name);
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      if (size > defaultPolicyFileLimits.fileBytes) {
        const limit = String(defaultPolicyFileLimits.fileBytes);
        throw refused('POLICY_FILE_TOO_LARGE', `"${name}" has ${String(size)} bytes, more than ${limit}.`);
      }
      const bytes = await file.readFile();
      return { bytes, hash: hashOf(bytes) };
    } finally {
      await file.close();
    }
  }

  /** Replaces the file as a whole, unless somebody has changed it since. Throws `FILE_CHANGED`. */
  async replace(name: string, text: string, { hash }: Pick<ReadFile, 'hash'>): Promise<string> {
    if ((await this.read(name)).hash !== hash) {
      const message = `"${name}" was changed by somebody else during this edit, so nothing was written. Read it again, and repeat the edit.`;
      throw refused('FILE_CHANGED', message);
    }
    const path = await this.#existing(name);
    const temporary = join(dirname(path), `.${randomIds.uuid()}.tmp`);
    const { mode } = await lstat(path);
    try {
      await writeNew(temporary, text, mode & 0o777);
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    return hashOf(Buffer.from(text));
  }

  /** Throws `FILE_EXISTS`. */
  async create(name: string, text: string): Promise<void> {
    const path = this.#place(name);
    const folder = await realpath(dirname(path)).catch(() => undefined);
    if (folder === undefined) throw refused('FILE_UNKNOWN', `The folder of "${name}" does not exist.`);
    this.#assertInside(name, folder);
    await writeNew(join(folder, basename(path)), text).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw refused('FILE_EXISTS', `"${name}" exists already. Choose another name.`);
    });
  }

  async #existing(name: string): Promise<string> {
    const path = this.#place(name);
    const real = await realpath(path).catch(() => undefined);
    const isFile = real !== undefined && (await lstat(real)).isFile();
    // Whatever is outside looks like what does not exist.
    if (real !== undefined) this.#assertInside(name, real);
    if (!isFile) throw refused('FILE_UNKNOWN', `There is no policy file "${name}" in the folder. See list_policies.`);
    return real;
  }

  #place(name: string): string {
    const path = resolve(this.root, name);
    if (isAbsolute(name) || name.includes('\0') || name.includes('\\') || !isPolicyName(name)) {
      const message = `"${name}" is no policy file of the folder: name one by its path in it, such as "registry.policy.json".`;
      throw refused('FILE_OUTSIDE', message);
    }
    this.#assertInside(name, path);
    return path;
  }

  #assertInside(name: string, path: string): void {
    if (path === this.root || path.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep)) return;
    throw refused('FILE_OUTSIDE', `"${name}" leads out of the folder that this server may use.`);
  }
}

/** Follows no link. Throws if there is such a file. */
async function writeNew(path: string, text: string, mode?: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

export const isEditable = (name: string): boolean => name.endsWith('.policy.json');

const isPolicyName = (name: string): boolean => /\.policy(\.json)?$/.test(name);

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const refused = (code: string, message: string): CommandError => new CommandError(exitCodes.usage, message, code);
