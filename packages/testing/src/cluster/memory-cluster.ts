/** An in-memory store shared by several engines, as the nodes of a cluster share a database. */
import { BlockworkError, MemoryStore } from '@blockwork/core';
import type {
  ChangeSet,
  Clock,
  Condition,
  Coordination,
  LockRequest,
  PolicyStore,
  RecordKind,
  RevisionLock,
} from '@blockwork/core/adapter';
import { ClusterLocks } from './cluster-locks.js';
import { SharedCoordination } from './shared-coordination.js';

export class MemoryCluster {
  /** State shared by the nodes. */
  readonly store = new MemoryStore();
  readonly #coordination: SharedCoordination;
  readonly #locks = new ClusterLocks(this.store);

  /** `clock`: the store's clock. */
  constructor(clock: Clock) {
    this.#coordination = new SharedCoordination(clock);
  }

  /** Number of locks that nodes have asked for. */
  get locksTaken(): number {
    return this.#locks.taken;
  }

  /** Connects another node to the store. */
  connect(): ClusterConnection {
    return new ClusterConnection(this.store, this.#coordination, this.#locks);
  }
}

export class ClusterConnection implements PolicyStore {
  /** Host work has no transaction here: it runs before the commit, under the lock. */
  readonly capabilities = { durable: false, shared: true, hostWork: true };
  readonly coordination: Coordination;
  readonly #store: MemoryStore;
  readonly #locks: ClusterLocks;
  #state: 'open' | 'closed' | 'killed' = 'open';

  constructor(store: MemoryStore, coordination: SharedCoordination, locks: ClusterLocks) {
    this.#store = store;
    this.#locks = locks;
    this.coordination = coordination.connect(this, {
      ask: async (_, act) => {
        this.#assertUsable();
        return Promise.resolve(act());
      },
      carry: queueMicrotask,
    });
  }

  /** Simulates the death of the node's process: none of its later calls reach the store. */
  kill(): void {
    this.#state = 'killed';
    this.endLocks();
  }

  /** Ends its locks, as a database does with those of a process that stands still. */
  endLocks(): void {
    this.#locks.endAll(this);
  }

  async revision(key: string): Promise<number> {
    this.#assertUsable();
    return this.#store.revision(key);
  }

  get: PolicyStore['get'] = async (kind, partition, id) => {
    this.#assertUsable();
    return this.#store.get(kind, partition, id);
  };

  find: PolicyStore['find'] = async (kind, partition, query) => {
    this.#assertUsable();
    return this.#store.find(kind, partition, query);
  };

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    this.#assertUsable();
    return this.#store.count(kind, partition, where);
  }

  async commit(changeSet: ChangeSet): Promise<void> {
    return this.#whenUnlocked([changeSet], ([only = changeSet]) => this.#store.commit(only));
  }

  async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    return this.#whenUnlocked(changeSets, (all) => this.#store.commitChain(all));
  }

  async lock(request: LockRequest): Promise<RevisionLock | null> {
    this.#assertUsable();
    const lock = await this.#locks.lock(this, request);
    this.#assertUsable();
    return lock;
  }

  /** Closes this connection; the others stay open. */
  close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    return Promise.resolve();
  }

  /** Commits wait for the locks of their revisions. */
  async #whenUnlocked(
    changeSets: readonly ChangeSet[],
    commit: (changeSets: readonly ChangeSet[]) => Promise<void>,
  ): Promise<void> {
    this.#assertUsable();
    const keys = changeSets.flatMap(({ expect }) => Object.keys(expect));
    if (!this.#locks.areLocked(keys)) return commit(changeSets);
    const copies = structuredClone(changeSets);
    await this.#locks.free(keys);
    this.#assertUsable();
    return commit(copies);
  }

  #assertUsable(): void {
    if (this.#state === 'closed') throw new BlockworkError('STORE_CLOSED');
    if (this.#state === 'killed') {
      throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the process of this node has ended' } });
    }
  }
}
