/** A store that fails when a test says so, in front of one that works. */
import { BlockworkError } from '@blockwork/core';
import type { ChangeSet, PolicyStore, RecordKind } from '@blockwork/core/adapter';

/**
 * How it fails. `unavailable`: one call is refused, and nothing was changed. `dies before`, `dies after`: the process ends at
 * that call, before or after it was carried out; from then on every call is refused, until the inner store is opened anew.
 */
export type StoreFault = 'unavailable' | 'dies before' | 'dies after';

export class FaultyStore implements PolicyStore {
  readonly #inner: PolicyStore;
  #calls = 0;
  #fault: { readonly kind: StoreFault; readonly at: number } | null = null;
  #isDead = false;
  #hasFailed = false;
  /** Calls are counted, and fail, only while it is armed: while what is under test is at work. */
  armed = true;

  constructor(inner: PolicyStore) {
    this.#inner = inner;
  }

  get capabilities(): PolicyStore['capabilities'] {
    return this.#inner.capabilities;
  }

  /** How many calls there were. */
  get calls(): number {
    return this.#calls;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The call with this number, from 1, fails. */
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

  /** A process that died closes nothing. */
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
