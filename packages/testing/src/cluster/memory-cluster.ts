/** An in-memory store shared by several engines, as the nodes of a cluster share a database. */
import { BlockworkError, MemoryStore } from '@blockwork/core';
import type { ChangeSet, Clock, Condition, Coordination, PolicyStore, RecordKind } from '@blockwork/core/adapter';
import { coordinationOver, SharedCoordination } from './memory-coordination.js';

export class MemoryCluster {
  /** State shared by the nodes. */
  readonly store = new MemoryStore();
  readonly #coordination: SharedCoordination;

  /** `clock`: the store's clock. */
  constructor(clock: Clock) {
    this.#coordination = new SharedCoordination(clock);
  }

  /** Connects another node to the store. */
  connect(): ClusterConnection {
    return new ClusterConnection(this.store, this.#coordination);
  }
}

export class ClusterConnection implements PolicyStore {
  readonly capabilities = { durable: false, shared: true };
  readonly coordination: Coordination;
  readonly #store: MemoryStore;
  #state: 'open' | 'closed' | 'killed' = 'open';

  constructor(store: MemoryStore, coordination: SharedCoordination) {
    this.#store = store;
    this.coordination = coordinationOver(coordination, () => this.#assertUsable());
  }

  /** Simulates the death of the node's process: none of its later calls reach the store. */
  kill(): void {
    this.#state = 'killed';
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
    this.#assertUsable();
    return this.#store.commit(changeSet);
  }

  async commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    this.#assertUsable();
    return this.#store.commitChain(changeSets);
  }

  /** Closes this connection; the others stay open. */
  close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    return Promise.resolve();
  }

  #assertUsable(): void {
    if (this.#state === 'closed') throw new BlockworkError('STORE_CLOSED');
    if (this.#state === 'killed') {
      throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the process of this node has ended' } });
    }
  }
}
