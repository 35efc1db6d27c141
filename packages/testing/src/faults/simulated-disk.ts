/** An in-memory disk with injected failures and power cuts, in which unflushed data may be lost. */
import { basename, dirname, join } from 'node:path/posix';
import { FaultPlan } from './fault-plan.js';
import { SimulatedFile, type Fate } from './simulated-file.js';

interface Folder {
  /** Directory entries as a process sees them, and those that survive a power cut. */
  readonly now: Map<string, SimulatedFile>;
  flushed: Map<string, SimulatedFile>;
}

/** An open file of a simulated disk. */
export interface SimulatedHandle {
  write(bytes: Uint8Array): Promise<void>;
  overwrite(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

const notFound = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });

export class SimulatedDisk {
  /** The failures to inject; several disks may share one plan. */
  faults = new FaultPlan();
  /** All operations so far, such as `write /store/journal/000000000001.jsonl`. */
  readonly done: string[] = [];
  /** Called before each operation, and after each that changed something. */
  before: (operation: string) => void = () => undefined;
  after: (operation: string) => void = () => undefined;
  readonly #folders = new Map<string, Folder>();

  makeFolder(path: string): Promise<void> {
    return this.#do('makeFolder', path, () => void this.#folder(path));
  }

  /** Not an operation: neither listed, nor can it fail. */
  fileId(path: string): string | undefined {
    return this.#find(path)?.id;
  }

  list(path: string): Promise<string[]> {
    return this.#read('list', path, () => {
      const folders = [...this.#folders.keys()].filter((folder) => dirname(folder) === path && folder !== path);
      return [...(this.#folders.get(path)?.now.keys() ?? []), ...folders.map((folder) => basename(folder))];
    });
  }

  read(path: string): Promise<Buffer | undefined> {
    return this.#read('read', path, () => {
      const file = this.#find(path);
      return file && Buffer.from(file.content);
    });
  }

  create(path: string): Promise<SimulatedHandle> {
    return this.#do('create', path, () => {
      const file = new SimulatedFile();
      this.#folder(dirname(path)).now.set(basename(path), file);
      return this.#handle(path, file);
    });
  }

  append(path: string): Promise<SimulatedHandle> {
    return this.#read('append', path, () => {
      const file = this.#find(path);
      if (file === undefined) throw notFound(path);
      return this.#handle(path, file);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do('rename', to, () => {
      const file = this.#find(from);
      if (file === undefined) throw notFound(from);
      this.#folder(dirname(from)).now.delete(basename(from));
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
    return [...this.#folders].flatMap(([folder, { now }]) => [...now.keys()].map((name) => join(folder, name))).sort();
  }

  /** The content of a file. Throws `ENOENT`. */
  contentOf(path: string): Buffer {
    const file = this.#find(path);
    if (file === undefined) throw notFound(path);
    return Buffer.from(file.content);
  }

  /** Writes a file from outside the process; `undefined` removes it. */
  put(path: string, content: Buffer | string | undefined): void {
    const { now } = this.#folder(dirname(path));
    if (content === undefined) now.delete(basename(path));
    else now.set(basename(path), new SimulatedFile(Buffer.from(content)));
  }

  /** A copy of the disk with all files flushed. */
  copy(): SimulatedDisk {
    return this.afterPowerCut(() => 1);
  }

  /**
   * The disk as a new process finds it after the old one was killed: nothing is lost, and nothing is flushed. Files below a
   * folder `lock` are gone, as if the end of the old process had been detected.
   */
  afterKill(): SimulatedDisk {
    const disk = new SimulatedDisk();
    for (const [path, folder] of this.#folders) if (basename(path) !== 'lock') disk.#folders.set(path, folder);
    return disk;
  }

  /**
   * The disk after a power cut. `fate` decides for each directory entry changed since the last flush (below 0.5: the change is
   * lost), and for each file which part of its unflushed data survives.
   */
  afterPowerCut(fate: Fate): SimulatedDisk {
    const disk = new SimulatedDisk();
    for (const [path, { now, flushed }] of this.#folders) {
      if (basename(path) === 'lock') continue;
      const folder = disk.#folder(path);
      for (const name of new Set([...now.keys(), ...flushed.keys()])) {
        const file = fate() < 0.5 ? flushed.get(name) : now.get(name);
        if (file !== undefined) folder.now.set(name, file.survivor(fate));
      }
      folder.flushed = new Map(folder.now);
    }
    return disk;
  }

  #handle(path: string, file: SimulatedFile): SimulatedHandle {
    return {
      write: (bytes) =>
        this.#do(
          'write',
          path,
          () => file.write(bytes),
          () => file.write(bytes.subarray(0, bytes.length >>> 1)),
        ),
      overwrite: (bytes) =>
        this.#do(
          'overwrite',
          path,
          () => file.overwrite(bytes),
          () => file.overwrite(bytes.subarray(0, bytes.length >>> 1)),
        ),
      sync: () =>
        this.#do(
          'sync',
          path,
          () => file.flush(),
          () => file.failToFlush(),
        ),
      truncate: (length) => this.#do('truncate', path, () => file.truncate(length)),
      close: () => this.#read('close', path, () => undefined),
    };
  }

  async #do<T>(name: string, path: string, act: () => T, onFailure?: () => void): Promise<T> {
    const result = await this.#read(name, path, act, onFailure);
    this.after(`${name} ${path}`);
    return result;
  }

  /** Asynchronous like a real disk: other tasks run before and after. */
  async #read<T>(name: string, path: string, act: () => T, onFailure?: () => void): Promise<T> {
    await Promise.resolve();
    const operation = `${name} ${path}`;
    this.before(operation);
    const failure = this.faults.next(operation);
    if (failure !== undefined) {
      if ('code' in failure) onFailure?.();
      throw failure;
    }
    this.done.push(operation);
    const result = act();
    await Promise.resolve();
    return result;
  }

  #find(path: string): SimulatedFile | undefined {
    return this.#folders.get(dirname(path))?.now.get(basename(path));
  }

  #folder(path: string): Folder {
    let folder = this.#folders.get(path);
    if (folder === undefined) this.#folders.set(path, (folder = { now: new Map(), flushed: new Map() }));
    return folder;
  }
}
