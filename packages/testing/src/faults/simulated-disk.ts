/** A disk in memory that fails as it is told, and whose power can be cut: what was not flushed may then be there, or not. */
import { basename, dirname, join } from 'node:path/posix';
import { FaultPlan } from './fault-plan.js';
import { SimulatedFile, type Fate } from './simulated-file.js';

interface Folder {
  /** The names that a process sees, and those that survive a power cut. */
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
  /** Which operations are to fail; several disks may share one plan. */
  faults = new FaultPlan();
  /** The operations done so far, each with its path: `write /store/journal/000000000001.jsonl`. */
  readonly done: string[] = [];
  /** Called before each operation, and after each that has changed something. */
  before: (operation: string) => void = () => undefined;
  after: (operation: string) => void = () => undefined;
  readonly #folders = new Map<string, Folder>();

  makeFolder(path: string): Promise<void> {
    return this.#do('makeFolder', path, () => void this.#folder(path));
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

  /** The paths of all files, as a person sees them. */
  get paths(): string[] {
    return [...this.#folders].flatMap(([folder, { now }]) => [...now.keys()].map((name) => join(folder, name))).sort();
  }

  /** What a person finds in a file. Throws `ENOENT`. */
  contentOf(path: string): Buffer {
    const file = this.#find(path);
    if (file === undefined) throw notFound(path);
    return Buffer.from(file.content);
  }

  /** Puts a file there as a person does; `undefined` removes it. */
  put(path: string, content: Buffer | string | undefined): void {
    const { now } = this.#folder(dirname(path));
    if (content === undefined) now.delete(basename(path));
    else now.set(basename(path), new SimulatedFile(Buffer.from(content)));
  }

  /** Another disk with the same files, all of them flushed. */
  copy(): SimulatedDisk {
    return this.afterPowerCut(() => 1);
  }

  /**
   * The disk as the process finds it that follows one which has ended: nothing is lost, and nothing is flushed by that.
   * Files below a folder `lock` are gone, as if that other process had been seen to have ended.
   */
  afterKill(): SimulatedDisk {
    const found = new SimulatedDisk();
    for (const [path, folder] of this.#folders) if (basename(path) !== 'lock') found.#folders.set(path, folder);
    return found;
  }

  /**
   * The disk as it is found when the power is back. `fate` is asked for each name that changed in a folder since that
   * was flushed (below 0.5: the change has not happened), and for each file how much is left of what was not flushed.
   */
  afterPowerCut(fate: Fate): SimulatedDisk {
    const found = new SimulatedDisk();
    for (const [path, { now, flushed }] of this.#folders) {
      if (basename(path) === 'lock') continue;
      const folder = found.#folder(path);
      for (const name of new Set([...now.keys(), ...flushed.keys()])) {
        const file = fate() < 0.5 ? flushed.get(name) : now.get(name);
        if (file !== undefined) folder.now.set(name, file.survivor(fate));
      }
      folder.flushed = new Map(folder.now);
    }
    return found;
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

  /** Like a real one, it takes its time: others get their turn before and after. */
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
