/** The real file store of one instance, on a simulated disk that loses what was not flushed when the power fails. */
import type { ChangeSet, PolicyStore } from '@blockwork/core/adapter';
import { openLowdbStore, type FileSystem, type WritableFile } from '@blockwork/store-lowdb';
import { SimulatedDisk, type SimulatedHandle } from '@blockwork/testing';
import type { Life } from './life.js';
import type { Network } from './network.js';
import type { Plants } from './plants/plants.js';
import type { Scheduler } from './scheduler.js';

interface DiskWorld {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly plants: Plants;
}

const FOLDER = '/store';
/** Small, so that a simulation sees many segments, checkpoints and snapshots. */
const sizes = { segmentBytes: 60_000, checkpointBytes: 150_000, partBytes: 20_000 };

export class FileMachine {
  #disk = new SimulatedDisk();

  constructor(private readonly world: DiskWorld) {}

  /** Opens the store for one life of the node. Never resolves if the life ends before. */
  async open(name: string, life: Life, applied: (changeSets: readonly ChangeSet[]) => void): Promise<PolicyStore> {
    const { scheduler, plants } = this.world;
    const clock = { now: () => scheduler.now };
    const fileSystem = this.#fileSystem(name, life);
    const store = await openLowdbStore({ folder: FOLDER, fileSystem, clock, ...sizes });
    return observed(store, plants, applied);
  }

  /** Another process of the same machine will see everything that was written. */
  kill(): void {
    this.#disk = this.#disk.afterKill();
  }

  /** What was not flushed may be there, in part, or not at all. */
  cutPower(): void {
    const { random } = this.world.scheduler;
    this.#disk = this.#disk.afterPowerCut(() => random.next());
  }

  /** The next change of the disk fails. */
  failOnce(code: 'EIO' | 'ENOSPC', within: number): void {
    this.#disk.faults.failNth(within, code);
  }

  heal(): void {
    this.#disk.faults.heal();
  }

  #fileSystem(name: string, life: Life): FileSystem {
    const { scheduler, network, plants } = this.world;
    const disk = this.#disk;
    const parked = async <T>(label: string, act: () => Promise<T>): Promise<T> => {
      await scheduler.pass(network.latency() / 4, life, `${name} ${label}`);
      disk.done.length = 0;
      return act();
    };
    const file = (handle: SimulatedHandle): WritableFile => ({
      write: (bytes) => {
        const copy = Uint8Array.from(bytes);
        return parked('write', () => handle.write(copy));
      },
      overwrite: (bytes) => {
        const copy = Uint8Array.from(bytes);
        return parked('overwrite', () => handle.overwrite(copy));
      },
      sync: () => parked('sync', () => (plants.has('lying-disk') ? Promise.resolve() : handle.sync())),
      truncate: (length) => parked('truncate', () => handle.truncate(length)),
      close: () => parked('close', () => handle.close()),
    });
    return {
      makeFolder: (path) => parked('makeFolder', () => disk.makeFolder(path)),
      fileId: (path) => disk.fileId(path),
      list: (path) => parked('list', () => disk.list(path)),
      read: (path) => parked('read', () => disk.read(path)),
      create: async (path) => file(await parked('create', () => disk.create(path))),
      append: async (path) => file(await parked('append', () => disk.append(path))),
      rename: (from, to) => parked('rename', () => disk.rename(from, to)),
      remove: (path) => parked('remove', () => disk.remove(path)),
      syncFolder: (path) => parked('syncFolder', () => disk.syncFolder(path)),
    };
  }
}

let warming: Promise<void> | undefined;

/** The first store of a process asks the machine who the process is: to be done before the machine is taken out. */
export function warmUpFileStore(): Promise<void> {
  warming ??= openLowdbStore({ folder: FOLDER, fileSystem: new SimulatedDisk() }).then((store) => store.close());
  return warming;
}

/** Tells of each commit once the store has acknowledged it. */
function observed(
  store: PolicyStore,
  plants: Plants,
  applied: (changeSets: readonly ChangeSet[]) => void,
): PolicyStore {
  const commit = async (chain: readonly ChangeSet[]): Promise<void> => {
    const changeSets = plants.rewritten(chain);
    const copies = structuredClone(changeSets);
    await (store.commitChain?.(changeSets) ?? Promise.reject(new Error('The store takes no chains.')));
    applied(copies);
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit') return (changeSet: ChangeSet) => commit([changeSet]);
      if (name === 'commitChain') return commit;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}
