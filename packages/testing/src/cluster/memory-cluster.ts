/** An in-memory store shared by several engines, as the nodes of a cluster share a database. */
import { BlockworkError, MemoryStore } from '@blockwork/core';
import type {
  ChangeSet,
  Clock,
  Condition,
  Coordination,
  Doorbell,
  LeaseAnswer,
  LockRequest,
  NodeFacts,
  NodeStatus,
  PolicyStore,
  RecordKind,
  RetryState,
  RevisionLock,
  Rung,
} from '@blockwork/core/adapter';
import { ClusterLocks } from './cluster-locks.js';

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
    this.coordination = coordinationOver(coordination, () => this.#assertUsable());
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

interface Registration {
  readonly facts: NodeFacts;
  readonly since: number;
  readonly aliveUntil: number;
}

interface Lease {
  /** `null` for one that is postponed. */
  readonly holder: string | null;
  readonly failures: number;
  readonly due: number;
}

type Listener = (rung: Rung) => void;

/** State shared by all connections. */
class SharedCoordination {
  readonly #nodes = new Map<string, Registration>();
  readonly #leases = new Map<string, Lease>();
  readonly #listeners = new Set<{ readonly from: object; readonly listener: Listener }>();

  constructor(private readonly clock: Clock) {}

  renew(facts: NodeFacts, ms: number): number {
    const now = this.clock.now();
    const since = this.#nodes.get(facts.id)?.since ?? now;
    this.#nodes.set(facts.id, { facts, since, aliveUntil: now + ms });
    return now;
  }

  leave(nodeId: string): void {
    this.#nodes.delete(nodeId);
    for (const [name, { holder }] of this.#leases) if (holder === nodeId) this.#leases.delete(name);
  }

  nodes(): NodeStatus[] {
    const leases = [...this.#leases.values()];
    return [...this.#nodes.values()]
      .filter(({ aliveUntil }) => aliveUntil > this.clock.now())
      .map(({ facts, since, aliveUntil }) => {
        const held = leases.filter(({ holder }) => holder === facts.id).length;
        return { ...facts, since, aliveUntil, leases: held };
      });
  }

  take(nodeId: string, names: readonly string[], evenPostponed: boolean): LeaseAnswer {
    const taken = new Map<string, number>();
    const postponed = new Map<string, RetryState>();
    for (const name of names) {
      const { holder = null, failures = 0, due = -Infinity } = this.#leases.get(name) ?? {};
      if (holder !== null && holder !== nodeId && this.#isAlive(holder)) continue;
      if (holder === null && due > this.clock.now() && !evenPostponed) postponed.set(name, { failures, due });
      else {
        this.#leases.set(name, { holder: nodeId, failures, due });
        taken.set(name, failures);
      }
    }
    return { taken, postponed };
  }

  release(nodeId: string, names: readonly string[]): void {
    for (const name of names) if (this.#leases.get(name)?.holder === nodeId) this.#leases.delete(name);
  }

  postpone(nodeId: string, name: string, failures: number, ms: number): void {
    if (this.#leases.get(name)?.holder !== nodeId) return;
    this.#leases.set(name, { holder: null, failures, due: this.clock.now() + ms });
  }

  doorbellOf(from: object): Doorbell {
    return {
      ring: (...names) => {
        const rung = new Set(names);
        for (const each of this.#listeners) if (each.from !== from) queueMicrotask(() => each.listener(rung));
      },
      subscribe: (listener) => {
        const subscription = { from, listener };
        this.#listeners.add(subscription);
        return () => void this.#listeners.delete(subscription);
      },
    };
  }

  #isAlive(nodeId: string): boolean {
    return (this.#nodes.get(nodeId)?.aliveUntil ?? -Infinity) > this.clock.now();
  }
}

/** One connection; `assertUsable` throws if the connection is closed. */
function coordinationOver(shared: SharedCoordination, assertUsable: () => void): Coordination {
  const guarded = async <T>(action: () => T): Promise<T> => {
    assertUsable();
    return Promise.resolve(action());
  };
  return {
    doorbell: shared.doorbellOf(assertUsable),
    renew: (node, ms) => guarded(() => shared.renew(node, ms)),
    leave: (nodeId) => guarded(() => shared.leave(nodeId)),
    nodes: () => guarded(() => shared.nodes()),
    takeLeases: (nodeId, names, { evenPostponed = false } = {}) =>
      guarded(() => shared.take(nodeId, names, evenPostponed)),
    release: (nodeId, names) => guarded(() => shared.release(nodeId, names)),
    postpone: (nodeId, name, failures, ms) => guarded(() => shared.postpone(nodeId, name, failures, ms)),
  };
}
