/** A decorator of a store that fails at a call chosen by the test. */
import { BlockworkError } from '@blockwork/core';
import type { ChangeSet, PolicyStore, RecordKind } from '@blockwork/core/adapter';

/**
 * - `unavailable`: one call fails and changes nothing.
 * - `dies before`, `dies after`: the process ends before or after the call takes effect. All later calls fail; wrap the inner
 *   store again to restart.
 */
export type StoreFault = 'unavailable' | 'dies before' | 'dies after';

export class FaultyStore implements PolicyStore {
  readonly #inner: PolicyStore;
  #calls = 0;
  #fault: { readonly kind: StoreFault; readonly at: number } | null = null;
  #isDead = false;
  #hasFailed = false;
  /** Calls are counted and can fail only while armed. */
  armed = true;

  /** If the inner store has it. */
  readonly findEach?: NonNullable<PolicyStore['findEach']>;

  readonly findShared?: NonNullable<PolicyStore['findShared']>;

  constructor(inner: PolicyStore) {
    this.#inner = inner;
    const findShared = inner.findShared?.bind(inner);
    if (findShared !== undefined) {
      this.findShared = (kind, partition, query) => this.#call(() => findShared(kind, partition, query));
    }
    const findEach = inner.findEach?.bind(inner);
    if (findEach === undefined) return;
    this.findEach = (kind, partitions, where) => this.#call(() => findEach(kind, partitions, where));
  }

  get capabilities(): PolicyStore['capabilities'] {
    return this.#inner.capabilities;
  }

  /** Number of calls so far. */
  get calls(): number {
    return this.#calls;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Makes the call with this number fail, counting from 1. */
  failAt(at: number, kind: StoreFault): void {
    this.#fault = { kind, at };
  }

  revision(key: string): Promise<number> {
    return this.#call(() => this.#inner.revision(key));
  }

  get: PolicyStore['get'] = (kind, partition, id) => this.#call(() => this.#inner.get(kind, partition, id));

  find: PolicyStore['find'] = (kind, partition, query) => this.#call(() => this.#inner.find(kind, partition, query));

  count(kind: RecordKind, partition: string, where?: Parameters<PolicyStore['count']>[2]): Promise<number> {
    return this.#call(() => this.#inner.count(kind, partition, where));
  }

  commit(changeSet: ChangeSet): Promise<void> {
    return this.#call(() => this.#inner.commit(changeSet));
  }

  commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    const commitChain = this.#inner.commitChain?.bind(this.#inner);
    if (commitChain === undefined) return Promise.reject(new Error('The inner store takes no chains.'));
    return this.#call(() => commitChain(changeSets));
  }

  /** Does not close the inner store after a simulated death. */
  close(): Promise<void> {
    return this.#isDead ? Promise.resolve() : this.#inner.close();
  }

  async #call<T>(action: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw unavailable('its process has ended');
    if (!this.armed) return action();
    this.#calls += 1;
    if (this.#fault?.at !== this.#calls) return action();
    const { kind } = this.#fault;
    this.#hasFailed = true;
    this.#isDead = kind !== 'unavailable';
    if (kind === 'dies after') await action();
    throw unavailable(`the test lets call ${this.#calls} fail`);
  }
}

const unavailable = (reason: string): BlockworkError => new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
