/** A disk in memory whose power can be cut: what was not flushed may then be there, or not, or in part. */
import { basename, dirname } from 'node:path';
import type { FileSystem, WritableFile } from '../../src/index.js';

interface File {
  content: Buffer;
  flushed: Buffer;
}

type Folder = Map<string, File>;

/** Between 0 and 1: what becomes of something that was not flushed. */
export type Fate = () => number;

const failure = (code: string): Error => Object.assign(new Error(code), { code });

export class SimulatedDisk implements FileSystem {
  readonly #folders = new Map<string, { now: Folder; flushed: Folder }>();
  /** Names of the operations done so far, with their paths. */
  readonly done: string[] = [];
  /** Called before each operation; what it throws is the operation's failure. */
  before: (operation: string) => void = () => undefined;

  makeFolder(path: string): Promise<void> {
    return this.#do('makeFolder', path, () => void this.#folder(path));
  }

  list(path: string): Promise<string[]> {
    return this.#do('list', path, () => [...(this.#folders.get(path)?.now.keys() ?? [])]);
  }

  read(path: string): Promise<Buffer | undefined> {
    return this.#do('read', path, () => {
      const file = this.#folder(dirname(path)).now.get(basename(path));
      return file && Buffer.from(file.content);
    });
  }

  create(path: string): Promise<WritableFile> {
    return this.#do('create', path, () => {
      const file: File = { content: Buffer.alloc(0), flushed: Buffer.alloc(0) };
      this.#folder(dirname(path)).now.set(basename(path), file);
      return this.#writable(path, file);
    });
  }

  append(path: string): Promise<WritableFile> {
    return this.#do('append', path, () => {
      const file = this.#folder(dirname(path)).now.get(basename(path));
      if (file === undefined) throw failure('ENOENT');
      return this.#writable(path, file);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do('rename', to, () => {
      const source = this.#folder(dirname(from)).now;
      const file = source.get(basename(from));
      if (file === undefined) throw failure('ENOENT');
      source.delete(basename(from));
      this.#folder(dirname(to)).now.set(basename(to), file);
    });
  }

  remove(path: string): Promise<void> {
    return this.#do('remove', path, () => void this.#folder(dirname(path)).now.delete(basename(path)));
  }

  syncFolder(path: string): Promise<void> {
    return this.#do('syncFolder', path, () => {
      const folder = this.#folder(path);
      folder.flushed = new Map(folder.now);
    });
  }

  /** The paths of all files. */
  get paths(): string[] {
    return [...this.#folders].flatMap(([folder, { now }]) => [...now.keys()].map((name) => `${folder}/${name}`)).sort();
  }

  /** What a person sees and puts there with the store closed. */
  contentOf(path: string): Buffer {
    const file = this.#folder(dirname(path)).now.get(basename(path));
    if (file === undefined) throw failure('ENOENT');
    return Buffer.from(file.content);
  }

  /** `undefined` removes the file. */
  put(path: string, content: Buffer | string | undefined): void {
    const { now } = this.#folder(dirname(path));
    if (content === undefined) now.delete(basename(path));
    else now.set(basename(path), { content: Buffer.from(content), flushed: Buffer.from(content) });
  }

  /** Another disk with the same files, as a process finds it that follows one that was killed. */
  copy(): SimulatedDisk {
    return this.afterPowerCut(() => 1);
  }

  /** The disk as the next process finds it: nothing is lost, and nothing is flushed by that. */
  afterKill(): SimulatedDisk {
    const found = new SimulatedDisk();
    for (const [path, folder] of this.#folders) if (basename(path) !== 'lock') found.#folders.set(path, folder);
    return found;
  }

  /** The disk as it is found when the power is back. */
  afterPowerCut(fate: Fate): SimulatedDisk {
    const found = new SimulatedDisk();
    for (const [path, { now, flushed }] of this.#folders) {
      if (basename(path) === 'lock') continue;
      const names = new Map(flushed);
      // Each name that changed since the last flush has its own fate.
      for (const name of new Set([...now.keys(), ...flushed.keys()])) {
        const file = fate() < 0.5 ? flushed.get(name) : now.get(name);
        if (file === undefined) names.delete(name);
        else names.set(name, file);
      }
      const folder = found.#folder(path);
      for (const [name, file] of names) folder.now.set(name, survivor(file, fate));
      folder.flushed = new Map(folder.now);
    }
    return found;
  }

  #writable(path: string, file: File): WritableFile {
    return {
      write: (bytes) =>
        this.#do('write', path, () => {
          file.content = Buffer.concat([file.content, bytes]);
        }),
      sync: () =>
        this.#do('sync', path, () => {
          file.flushed = file.content;
        }),
      truncate: (length) =>
        this.#do('truncate', path, () => {
          file.content = file.content.subarray(0, length);
        }),
      close: () => this.#do('close', path, () => undefined),
    };
  }

  /** Like a real one, it takes its time: others get their turn before and after. */
  async #do<T>(name: string, path: string, act: () => T): Promise<T> {
    await Promise.resolve();
    const operation = `${name} ${path}`;
    this.before(operation);
    this.done.push(operation);
    const result = act();
    await Promise.resolve();
    return result;
  }

  #folder(path: string): { now: Folder; flushed: Folder } {
    let folder = this.#folders.get(path);
    if (folder === undefined) this.#folders.set(path, (folder = { now: new Map(), flushed: new Map() }));
    return folder;
  }
}

/** What was flushed is there; of what came after, a part, perhaps with a hole of zeros in it. */
function survivor({ content, flushed }: File, fate: Fate): File {
  const isGrown = content.subarray(0, flushed.length).equals(flushed);
  if (!isGrown) return { content: flushed, flushed };
  const length = flushed.length + Math.floor(fate() * 1.2 * (content.length - flushed.length));
  const kept = Buffer.from(content.subarray(0, Math.min(length, content.length)));
  if (fate() < 0.3) {
    const at = (share: number): number => flushed.length + Math.floor(share * (kept.length - flushed.length));
    const [one, other] = [at(fate()), at(fate())];
    kept.fill(0, Math.min(one, other), Math.max(one, other));
  }
  return { content: kept, flushed: kept };
}
