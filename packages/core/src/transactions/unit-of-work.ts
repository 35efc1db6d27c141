/** A unit of work: everything one send changes, held back until it is committed as a whole. */
import type { Change, ChangeSet, PolicyStore, RecordQuery, StoreReader } from '../ports/index.js';
import { BlockworkError } from '../errors.js';
import { cloneJson, compareAt, INSTANCE, jsonBytes, jsonBytesAtMost, matches } from '../records/index.js';
import type { Condition, Json, RecordKind, RecordKinds } from '../records/index.js';
import type { RevisionKey } from './revision-keys.js';

/** What reading needs of a store; a unit of work gives it with its own changes on top. */
export interface RecordReader extends StoreReader {
  /**
   * Whether a record of a policy is known not to have been written since the policy had the revision `since`. False where that is not
   * known without asking the store.
   */
  isUnwritten?(kind: RecordKind, partition: string, id: string, since: number): boolean;
}

type Pending = Map<string, { readonly id: string } | null>;

/** How things were before one change. */
interface Undo {
  readonly address: string;
  readonly change: Change | undefined;
  readonly pending: Pending;
  readonly id: string;
  readonly value: { readonly id: string } | null | undefined;
  readonly bytes: number | undefined;
}

export interface UnitLimits {
  /** Of the records that a unit writes, as JSON. */
  readonly unitBytes?: number;
}

/** Results of work outside of the store, by name. */
export type OutsideResults = Map<string, Json>;

/** What a unit goes on from that does not begin by asking the store. */
export interface UnitBase {
  readonly reader: RecordReader;
  /** The revisions that the reader shows. */
  readonly expect: Readonly<Record<RevisionKey, number>>;
  /** Throws `CONFLICT` where these are known to have moved: called before anything is done outside of the store. */
  readonly assertCurrent?: () => Promise<void>;
}

export class UnitOfWork implements RecordReader {
  /** W3C trace context of what caused the unit: what it sends and notes carries it. */
  traceparent: string | undefined;
  /** The tag of the block that its run began at. */
  origin: string | undefined;

  readonly #store: RecordReader;
  readonly #expect: Readonly<Record<string, number>>;
  readonly #changes = new Map<string, Change>();
  readonly #pending = new Map<string, Pending>();
  readonly #undo: Undo[] = [];
  readonly #outside: OutsideResults;
  readonly #occurrences = new Map<string, number>();
  /** Of the records written, by address: not less than their bytes. */
  readonly #sizes = new Map<string, number>();
  /** The addresses whose size may be more than their bytes. */
  readonly #estimated = new Set<string>();
  readonly #bytesAtMost: number;
  readonly #assertCurrent: (() => Promise<void>) | undefined;
  #bytes = 0;
  #isOver = false;

  private constructor(
    { reader, expect, assertCurrent }: UnitBase,
    limits: UnitLimits = {},
    outside: OutsideResults = new Map(),
  ) {
    this.#store = reader;
    this.#expect = expect;
    this.#assertCurrent = assertCurrent;
    this.#bytesAtMost = limits.unitBytes ?? Infinity;
    this.#outside = outside;
  }

  /**
   * Begins with the present revisions of `keys`: if one has moved at the commit, nothing is written. `outside`: of earlier
   * attempts.
   */
  static async begin(
    store: PolicyStore,
    keys: readonly RevisionKey[],
    limits?: UnitLimits,
    outside?: OutsideResults,
  ): Promise<UnitOfWork> {
    const revisions = await Promise.all(keys.map((key) => store.revision(key)));
    const expect = Object.fromEntries(keys.map((key, at) => [key, revisions[at] ?? 0]));
    return new UnitOfWork({ reader: store, expect }, limits, outside);
  }

  /** Continues from what others will have left in the store, or from what this process last knew of it. */
  static on(base: UnitBase, limits?: UnitLimits, outside?: OutsideResults): UnitOfWork {
    return new UnitOfWork(base, limits, outside);
  }

  /** Whether its work has ended: nothing can be written any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** From now on, writing throws `RUN_ENDED`: it would reach nobody. */
  end(): void {
    this.#isOver = true;
  }

  get size(): number {
    return this.#changes.size;
  }

  /** The changes so far, the last one of each record. */
  get changes(): Iterable<Change> {
    return this.#changes.values();
  }

  /** Of the records that it writes, as JSON; of small units a multiple of it, at most. */
  get bytes(): number {
    if (this.#bytes > SMALL_BYTES) this.#measure();
    return this.#bytes;
  }

  /** The revisions that the unit began with. */
  get expectations(): Readonly<Record<string, number>> {
    return this.#expect;
  }

  /** The revision that a key had when the unit began. */
  expected(key: RevisionKey): number {
    return this.#expect[key] ?? 0;
  }

  /**
   * Does something outside of the store, such as a call of a service. When the unit runs again because of a conflict, the
   * n-th call with a `key` gets the result that it had before, and `work` is not repeated. Failures are not kept.
   */
  async once<T extends Json>(key: string, work: () => Promise<T>): Promise<T> {
    const occurrence = (this.#occurrences.get(key) ?? 0) + 1;
    this.#occurrences.set(key, occurrence);
    const name = `${String(occurrence)}/${key}`;
    if (!this.#outside.has(name)) {
      await this.#assertCurrent?.();
      this.#outside.set(name, cloneJson(await work()));
    }
    return cloneJson(this.#outside.get(name) as T);
  }

  /** A point that `rollBack` can return to. */
  savepoint(): number {
    return this.#undo.length;
  }

  /** Takes back every change since the point. */
  rollBack(point: number): void {
    for (const { address, change, pending, id, value, bytes } of this.#undo.splice(point).reverse()) {
      if (change === undefined) this.#changes.delete(address);
      else this.#changes.set(address, change);
      if (value === undefined) pending.delete(id);
      else pending.set(id, value);
      this.#resize(address, bytes);
    }
  }

  /** What to commit; `null` when nothing changed. Throws `UNIT_TOO_LARGE`, since work may have caught what `put` threw. */
  changeSet(): ChangeSet | null {
    this.#assertSize();
    if (this.#changes.size === 0) return null;
    return { expect: this.#expect, changes: [...this.#changes.values()], isFinal: true };
  }

  /** Throws `UNIT_TOO_LARGE`. */
  put<Kind extends RecordKind>(kind: Kind, partition: string, value: RecordKinds[Kind]): void {
    this.give(kind, partition, cloneJson(value));
  }

  /** `put` for a value that belongs to the unit from now on, and is not copied: nobody else may change it. Throws `UNIT_TOO_LARGE`. */
  give<Kind extends RecordKind>(kind: Kind, partition: string, value: RecordKinds[Kind]): void {
    const estimate = jsonBytesAtMost(value);
    const bytes = Number.isFinite(estimate) ? estimate : jsonBytes(value);
    this.#remember({ op: 'put', kind, partition, value } as Change, value.id, value, bytes);
    this.#assertSize();
  }

  delete(kind: RecordKind, partition: string, id: string): void {
    this.#remember({ op: 'delete', kind, partition, id } as Change, id, null);
  }

  /** As it was when the unit began, for the keys that it began with and those that cannot move without them. */
  async revision(key: string): Promise<number> {
    return this.#expect[key] ?? this.#store.revision(key);
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    const pending = this.#pending.get(tableOf(kind, partition))?.get(id);
    if (pending === undefined) return this.#store.get(kind, partition, id);
    return pending === null ? undefined : (cloneJson(pending) as RecordKinds[Kind]);
  }

  isUnwritten(kind: RecordKind, partition: string, id: string, since: number): boolean {
    if (this.#pending.get(tableOf(kind, partition))?.has(id) === true) return false;
    return this.#store.isUnwritten?.(kind, partition, id, since) === true;
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    const pending = this.#pending.get(tableOf(kind, partition));
    if (pending === undefined) return this.#store.find(kind, partition, query);
    const { order, offset = 0, limit = Infinity } = query;
    // Each change takes at most one record out of the page; an order may be changed from anywhere.
    const most = order === undefined ? offset + limit + pending.size : Infinity;
    const found = await this.#merge(kind, partition, pending, query.where, most);
    if (order !== undefined) {
      found.sort((a, b) => compareAt(a, b, order.path));
      if (order.direction === 'desc') found.reverse();
    }
    return found.slice(offset, offset + limit).map(cloneJson);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    const pending = this.#pending.get(tableOf(kind, partition));
    if (pending === undefined) return this.#store.count(kind, partition, where);
    return (await this.#merge(kind, partition, pending, where)).length;
  }

  /**
   * Changed records keep their place; those that only now meet the condition come last. `most`: of the stored records, the first of
   * which are enough where the page ends among them.
   */
  async #merge<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    pending: Pending,
    where: Condition | undefined,
    most = Infinity,
  ): Promise<RecordKinds[Kind][]> {
    const page = { ...(where !== undefined && { where }), ...(most !== Infinity && { limit: most }) };
    const stored = await this.#store.find(kind, partition, page);
    const placed = new Set<string>();
    const merged: RecordKinds[Kind][] = [];
    const take = (value: { readonly id: string } | null | undefined): void => {
      if (value && (where === undefined || matches(value, where))) merged.push(value as RecordKinds[Kind]);
    };
    for (const record of stored) {
      const change = pending.get(record.id);
      placed.add(record.id);
      if (change === undefined) merged.push(record);
      else take(change);
    }
    for (const [id, change] of pending) if (!placed.has(id)) take(change);
    return merged;
  }

  #remember(change: Change, id: string, value: { readonly id: string } | null, bytes?: number): void {
    const { kind, partition } = change;
    if (this.#isOver) {
      const began = this.origin === undefined ? '' : ` of the run that began at block "${this.origin}"`;
      const policyId = partition === INSTANCE ? Object.keys(this.#expect).join(', ') : partition;
      throw new BlockworkError('RUN_ENDED', { facts: { what: `A block${began}`, policyId } });
    }
    const table = tableOf(kind, partition);
    let pending = this.#pending.get(table);
    if (pending === undefined) this.#pending.set(table, (pending = new Map<string, { readonly id: string } | null>()));
    const address = addressOf(kind, partition, id);
    const before = { change: this.#changes.get(address), value: pending.get(id), bytes: this.#sizes.get(address) };
    this.#undo.push({ address, pending, id, ...before });
    pending.set(id, value);
    this.#changes.set(address, change);
    this.#resize(address, bytes);
  }

  #resize(address: string, bytes: number | undefined): void {
    this.#bytes += (bytes ?? 0) - (this.#sizes.get(address) ?? 0);
    if (bytes === undefined) {
      this.#sizes.delete(address);
      this.#estimated.delete(address);
    } else {
      this.#sizes.set(address, bytes);
      this.#estimated.add(address);
    }
  }

  /** Writes the records out whose size is only estimated. */
  #measure(): void {
    for (const address of this.#estimated) {
      const change = this.#changes.get(address);
      if (change?.op === 'put') this.#resize(address, jsonBytes(change.value));
    }
    this.#estimated.clear();
  }

  #assertSize(): void {
    if (this.#bytes <= this.#bytesAtMost) return;
    this.#measure();
    if (this.#bytes <= this.#bytesAtMost) return;
    const facts = { key: Object.keys(this.#expect).join(', '), limit: this.#bytesAtMost };
    throw new BlockworkError('UNIT_TOO_LARGE', { facts });
  }
}

/** Up to here, nobody needs the exact size of a unit. */
const SMALL_BYTES = 2 ** 23;

const tableOf = (kind: RecordKind, partition: string): string => `${kind}/${partition}`;

/** The parts are joined by their lengths, so that no two addresses can be the same text. */
const addressOf = (kind: RecordKind, partition: string, id: string): string =>
  `${kind}/${String(partition.length)}/${partition}/${id}`;
