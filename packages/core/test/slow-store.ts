/** A durable store in memory whose commits come to their end when a test says so, and in the way that it says. */
import { BlockworkError, MemoryStore } from '@blockwork/core';
import type { ChangeSet, Condition, RecordKind, RecordQuery, StoreCapabilities } from '@blockwork/core/adapter';
import { turn } from './background.js';

interface Waiting {
  readonly changeSets: readonly ChangeSet[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class SlowStore extends MemoryStore {
  override readonly capabilities: StoreCapabilities = { durable: true, shared: false };
  /** Every change set that was applied, in order. */
  readonly applied: ChangeSet[] = [];
  /** Says which change sets the store does not take. */
  refuses: (changeSet: ChangeSet) => boolean = () => false;
  /** How many commits, and how many change sets in the largest of them. */
  commits = 0;
  largest = 0;
  /** Whether reads take a while as well, so that commits come to their end in between. */
  hasSlowReads = false;
  #waiting: Waiting[] = [];
  #isDead = false;

  get waiting(): number {
    return this.#waiting.length;
  }

  override async revision(key: string): Promise<number> {
    await this.#read();
    return super.revision(key);
  }

  override async get<Kind extends RecordKind>(kind: Kind, partition: string, id: string) {
    await this.#read();
    return super.get(kind, partition, id);
  }

  override async find<Kind extends RecordKind>(kind: Kind, partition: string, query?: RecordQuery) {
    await this.#read();
    return super.find(kind, partition, query);
  }

  override async count(kind: RecordKind, partition: string, where?: Condition) {
    await this.#read();
    return super.count(kind, partition, where);
  }

  override commit(changeSet: ChangeSet): Promise<void> {
    return this.commitChain([changeSet]);
  }

  override commitChain(changeSets: readonly ChangeSet[]): Promise<void> {
    if (this.#isDead) return unavailable('it is dead');
    this.commits += 1;
    this.largest = Math.max(this.largest, changeSets.length);
    return new Promise((resolve, reject) => this.#waiting.push({ changeSets, resolve, reject }));
  }

  async #read(): Promise<void> {
    if (this.hasSlowReads) await turn();
    if (this.#isDead) await unavailable('it is dead');
  }

  /** Applies the oldest commit that waits. Its acknowledgement is given now, or when the returned function is called. */
  async apply(isLate = false): Promise<() => void> {
    const next = this.#waiting.shift();
    if (next === undefined) return () => undefined;
    let settle = next.resolve;
    try {
      if (next.changeSets.some(this.refuses)) await unavailable('it does not take this');
      await super.commitChain(next.changeSets);
      this.applied.push(...next.changeSets);
    } catch (error) {
      settle = () => next.reject(error);
    }
    if (!isLate) settle();
    return settle;
  }

  /** Somebody else commits, at once. */
  async foreign(changeSet: ChangeSet): Promise<void> {
    await super.commitChain([changeSet]);
    this.applied.push(changeSet);
  }

  /** Refuses the oldest commit that waits. */
  async fail(): Promise<void> {
    this.#waiting.shift()?.reject(await unavailable('the disk is full').catch((error: unknown) => error));
  }

  /** The oldest commit that waits is made, or not, and its caller is told that nobody knows. */
  async loseOutcome({ isMade }: { readonly isMade: boolean }): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    if (isMade) {
      await super.commitChain(next.changeSets);
      this.applied.push(...next.changeSets);
    }
    next.reject(new BlockworkError('COMMIT_UNKNOWN', { facts: { reason: 'the connection was lost' } }));
  }

  /** The process ends: of the oldest commit that waits, the first `applied` change sets are there. */
  async die(applied: number): Promise<void> {
    const changeSets = this.#waiting[0]?.changeSets.slice(0, applied) ?? [];
    const isConflict = await super.commitChain(changeSets).then(
      () => false,
      () => true,
    );
    if (!isConflict) this.applied.push(...changeSets);
    this.#isDead = true;
    for (const { reject } of this.#waiting.splice(0)) await unavailable('it is dead').catch(reject);
  }
}

const unavailable = (reason: string): Promise<never> =>
  Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } }));
