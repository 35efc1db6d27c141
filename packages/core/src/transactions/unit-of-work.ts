/** A unit of work: everything that one send changes, held back until it is committed as a whole. */
import type { Change, ChangeSet, HostWork, PolicyStore, RecordQuery, StoreReader } from '../ports/index.js';
import { BlockworkError } from '../errors.js';
import { cloneJson, compareAt, everything, INSTANCE, jsonBytes, jsonBytesAtMost, matches } from '../records/index.js';
import type { Condition, Json, RecordKind, RecordKinds } from '../records/index.js';
import { FreshTexts } from './fresh-texts.js';
import type { RevisionKey } from './revision-keys.js';

/** The store reads that other code needs; a unit of work implements them with its own changes on top. */
export interface RecordReader extends StoreReader {
  /**
   * Whether a policy's record is known not to have been written since the policy's revision `since`. False if that is
   * unknown without asking the store.
   */
  isUnwritten?(kind: RecordKind, partition: string, id: string, since: number): boolean;
  /**
   * The id of the record of a kind that was created last, where that is known without asking the store: by units below that
   * are not durable yet.
   */
  lastCreated?(kind: RecordKind, partition: string): string | undefined;
}

type Pending = Map<string, { readonly id: string } | null>;

/** The state before one change. */
interface Undo {
  readonly address: string;
  readonly change: Change | undefined;
  readonly pending: Pending;
  readonly id: string;
  readonly value: { readonly id: string } | null | undefined;
  readonly bytes: number | undefined;
}

export interface UnitLimits {
  /** Maximum size of the records that a unit writes, as JSON. */
  readonly unitBytes?: number;
}

/** Results of work outside the store, such as calls to a service, by name. */
export type ExternalResults = Map<string, Json>;

/** The starting point of a unit that does not begin by asking the store. */
export interface UnitBase {
  readonly reader: RecordReader;
  /** The revisions that the reader shows. */
  readonly expect: Readonly<Record<RevisionKey, number>>;
  /** The history that these belong to; absent for a store without histories. */
  readonly history: string | undefined;
  /** Throws `CONFLICT` if these are known to have moved: called before any work outside the store. */
  readonly assertCurrent?: () => Promise<void>;
}

export class UnitOfWork implements RecordReader {
  /** W3C trace context of the unit's cause, carried by the messages and entries it writes. */
  traceparent: string | undefined;
  /** The tag of the block at which its run began. */
  origin: string | undefined;
  /** Committed together with the unit, even if that changes nothing. */
  hostWork: HostWork | undefined;
  /** Called in place of the first work outside the store, of a unit that only tries something: its caller waits for ever. */
  insteadOfOutside: (() => void) | undefined;
  /** The history of the store in which it began. */
  readonly history: string | undefined;

  readonly #store: RecordReader;
  readonly #expect: Readonly<Record<string, number>>;
  readonly #changes = new Map<string, Change>();
  readonly #pending = new Map<string, Pending>();
  readonly #undo: Undo[] = [];
  readonly #externalResults: ExternalResults;
  readonly #occurrences = new Map<string, number>();
  /** Sizes of the records written, by address: upper bounds of their bytes. */
  readonly #sizes = new Map<string, number>();
  /** The addresses whose size is only an upper bound. */
  readonly #estimated = new Set<string>();
  readonly #bytesAtMost: number;
  readonly #assertCurrent: (() => Promise<void>) | undefined;
  /** The addresses of records that did not exist before. */
  readonly #created = new Set<string>();
  /** Queries that ask for one of these are answered without the store. */
  readonly fresh = new FreshTexts();
  /** The JSON of credentials that were signed in this unit, by id: their proofs hold. */
  readonly signed = new Map<string, string>();
  #bytes = 0;
  #isOver = false;

  private constructor(
    { reader, expect, history, assertCurrent }: UnitBase,
    limits: UnitLimits = {},
    externalResults: ExternalResults = new Map(),
  ) {
    this.#store = reader;
    this.#expect = expect;
    this.history = history;
    this.#assertCurrent = assertCurrent;
    this.#bytesAtMost = limits.unitBytes ?? Infinity;
    this.#externalResults = externalResults;
  }

  /**
   * Begins with the current revisions of `keys`: if one has moved by the commit, nothing is written. `externalResults`:
   * those of earlier attempts.
   */
  static async begin(
    store: PolicyStore,
    keys: readonly RevisionKey[],
    limits?: UnitLimits,
    externalResults?: ExternalResults,
  ): Promise<UnitOfWork> {
    const history = store.history?.id;
    const revisions = await Promise.all(keys.map((key) => store.revision(key)));
    const expect = Object.fromEntries(keys.map((key, at) => [key, revisions[at] ?? 0]));
    return new UnitOfWork({ reader: store, expect, history }, limits, externalResults);
  }

  /**
   * Begins with the state that preceding units will have left in the store, or with what this process last knew of it.
   */
  static on(base: UnitBase, limits?: UnitLimits, externalResults?: ExternalResults): UnitOfWork {
    return new UnitOfWork(base, limits, externalResults);
  }

  /** Whether its work has ended, so that nothing more can be written. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** After this, writes throw `RUN_ENDED`, since nothing would commit them. */
  end(): void {
    this.#isOver = true;
  }

  get size(): number {
    return this.#changes.size;
  }

  /** The changes so far; only the last one of each record. */
  get changes(): Iterable<Change> {
    return this.#changes.values();
  }

  /** The changes of records that did not exist when the unit began. */
  get created(): ReadonlySet<Change> {
    return new Set([...this.#created].flatMap((address) => this.#changes.get(address) ?? []));
  }

  /** Size of the written records as JSON; for small units an upper bound. */
  get bytes(): number {
    if (this.#bytes > SMALL_BYTES) this.#measure();
    return this.#bytes;
  }

  /** The revisions that the unit began with. */
  get expectations(): Readonly<Record<string, number>> {
    return this.#expect;
  }

  /** The revision of a key when the unit began. */
  expected(key: RevisionKey): number {
    return this.#expect[key] ?? 0;
  }

  /**
   * Runs work outside the store, such as a call to a service. When the unit is rerun after a conflict, the nth call
   * with a `key` returns its earlier result, and `work` is not repeated. Failures are not remembered.
   */
  async once<T extends Json>(key: string, work: () => Promise<T>): Promise<T> {
    const occurrence = (this.#occurrences.get(key) ?? 0) + 1;
    this.#occurrences.set(key, occurrence);
    const name = `${String(occurrence)}/${key}`;
    if (this.insteadOfOutside !== undefined) {
      this.insteadOfOutside();
      return new Promise(() => undefined);
    }
    if (!this.#externalResults.has(name)) {
      await this.#assertCurrent?.();
      this.#externalResults.set(name, cloneJson(await work()));
    }
    return cloneJson(this.#externalResults.get(name) as T);
  }

  /** A point that `rollBack` can return to. */
  savepoint(): number {
    return this.#undo.length;
  }

  /** Reverts every change since the savepoint. */
  rollBack(point: number): void {
    // The keys that they were signed with may be among what is reverted.
    this.signed.clear();
    for (const { address, change, pending, id, value, bytes } of this.#undo.splice(point).reverse()) {
      if (change === undefined) this.#changes.delete(address);
      else this.#changes.set(address, change);
      if (value === undefined) pending.delete(id);
      else pending.set(id, value);
      this.#resize(address, bytes);
    }
  }

  /**
   * The changes to commit; `null` if there is nothing to commit. Throws `UNIT_TOO_LARGE`, since the work may have caught the error
   * of `put`.
   */
  changeSet(): ChangeSet | null {
    this.#assertSize();
    if (this.#changes.size === 0 && this.hostWork === undefined) return null;
    const { history } = this;
    const changes = [...this.#changes.values()];
    return { expect: this.#expect, ...(history !== undefined && { history }), changes, isFinal: true };
  }

  /** Throws `UNIT_TOO_LARGE`. */
  put<Kind extends RecordKind>(kind: Kind, partition: string, value: RecordKinds[Kind]): void {
    this.putOwned(kind, partition, cloneJson(value));
  }

  /**
   * As `put`, but passes ownership of the value to the unit, which does not copy it: it must not change afterwards.
   * Throws `UNIT_TOO_LARGE`.
   */
  putOwned<Kind extends RecordKind>(kind: Kind, partition: string, value: RecordKinds[Kind]): void {
    const estimate = jsonBytesAtMost(value);
    const bytes = Number.isFinite(estimate) ? estimate : jsonBytes(value);
    this.#remember({ op: 'put', kind, partition, value } as Change, value.id, value, bytes);
    this.#assertSize();
  }

  /** As `putOwned`, for a record that is known not to exist yet, so that later units need not ask the store for it. */
  putNew<Kind extends RecordKind>(kind: Kind, partition: string, value: RecordKinds[Kind]): void {
    this.putOwned(kind, partition, value);
    this.#created.add(addressOf(kind, partition, value.id));
  }

  delete(kind: RecordKind, partition: string, id: string): void {
    this.#remember({ op: 'delete', kind, partition, id } as Change, id, null);
  }

  /** The revision when the unit began, for its own keys and those that cannot move without them. */
  async revision(key: string): Promise<number> {
    return this.#expect[key] ?? this.#store.revision(key);
  }

  async get<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    id: string,
  ): Promise<RecordKinds[Kind] | undefined> {
    const pending = this.#pending.get(tableOf(kind, partition))?.get(id);
    if (pending === undefined) return this.fresh.isIn(id) ? undefined : this.#store.get(kind, partition, id);
    return pending === null ? undefined : (cloneJson(pending) as RecordKinds[Kind]);
  }

  isUnwritten(kind: RecordKind, partition: string, id: string, since: number): boolean {
    if (this.#pending.get(tableOf(kind, partition))?.has(id) === true) return false;
    return this.#store.isUnwritten?.(kind, partition, id, since) === true;
  }

  /** Its own records are not among them. */
  lastCreated(kind: RecordKind, partition: string): string | undefined {
    return this.#store.lastCreated?.(kind, partition);
  }

  async find<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery = {},
  ): Promise<RecordKinds[Kind][]> {
    const pending = this.#pending.get(tableOf(kind, partition));
    if (pending === undefined) return this.#stored(kind, partition, query);
    const { order, offset = 0, limit = Infinity } = query;
    // Each change removes at most one record from the page; changing an order may affect any of them.
    const most = order === undefined ? offset + limit + pending.size : Infinity;
    const records = await this.#merge(kind, partition, pending, query.where, most);
    if (order !== undefined) {
      records.sort((a, b) => compareAt(a, b, order.path));
      if (order.direction === 'desc') records.reverse();
    }
    return records.slice(offset, offset + limit).map(cloneJson);
  }

  async count(kind: RecordKind, partition: string, where?: Condition): Promise<number> {
    const pending = this.#pending.get(tableOf(kind, partition));
    if (pending === undefined)
      return this.fresh.isDemandedBy(where ?? everything) ? 0 : this.#store.count(kind, partition, where);
    return (await this.#merge(kind, partition, pending, where)).length;
  }

  async #stored<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    query: RecordQuery,
  ): Promise<RecordKinds[Kind][]> {
    return this.fresh.isDemandedBy(query.where ?? everything) ? [] : this.#store.find(kind, partition, query);
  }

  /**
   * Changed records keep their place; those that newly meet the condition come last. `most`: how many of the stored
   * records to consider, if the page ends among them.
   */
  async #merge<Kind extends RecordKind>(
    kind: Kind,
    partition: string,
    pending: Pending,
    where: Condition | undefined,
    most = Infinity,
  ): Promise<RecordKinds[Kind][]> {
    const page = { ...(where !== undefined && { where }), ...(most !== Infinity && { limit: most }) };
    const stored = await this.#stored(kind, partition, page);
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

  /** Serializes the records whose size is only estimated. */
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

/** Below this size the exact size of a unit is not needed. */
const SMALL_BYTES = 2 ** 23;

const tableOf = (kind: RecordKind, partition: string): string => `${kind}/${partition}`;

/** The lengths of the parts are included, so that no two addresses are the same text. */
const addressOf = (kind: RecordKind, partition: string, id: string): string =>
  `${kind}/${String(partition.length)}/${partition}/${id}`;
