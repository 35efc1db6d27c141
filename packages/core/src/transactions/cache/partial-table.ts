/**
 * Cached reads of a table that is too large to cache whole: single records, and query results until a change may affect
 * them.
 */
import { BlockworkError } from '../../errors.js';
import type { Change, RecordQuery } from '../../ports/index.js';
import { compareAt, type Condition, conditionKey, everything, jsonBytes, matches } from '../../records/index.js';
import type { ChangedRecord, StoredRecord } from '../undurable-changes.js';

/** Larger records and results are not cached. */
const RESULT_BYTES = 256 * 1024;
/** Number of lists that are known not to last; with more, none is expected to. */
const DROPPED_AT_MOST = 1000;
/** Overhead of a cached record or result besides its JSON. */
const ENTRY_BYTES = 200;

interface CachedList {
  readonly query: RecordQuery;
  readonly where: Condition;
  readonly records: readonly StoredRecord[];
  readonly ids: ReadonlySet<string>;
  /** Whether the list holds all records that meet the condition. */
  readonly isComplete: boolean;
  readonly bytes: number;
}

interface CachedCount {
  readonly where: Condition;
  readonly count: number;
}

export class PartialTable implements CachedTable {
  /** `null` for a record that does not exist. */
  readonly #records = new Map<string, StoredRecord | null>();
  readonly #lists = new Map<string, CachedList>();
  readonly #counts = new Map<string, CachedCount>();
  /** The keys of lists that a change has dropped. */
  readonly #dropped = new Set<string>();
  #bytes = 0;

  /** Beyond `bytesAtMost` it drops everything and starts over. */
  constructor(private readonly bytesAtMost: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(id: string): StoredRecord | null | undefined {
    return this.#records.get(id);
  }

  find(query: RecordQuery, changed: readonly ChangedRecord[] = []): readonly StoredRecord[] | undefined {
    let list = this.#lists.get(listKey(query));
    for (const change of changed) {
      if (list === undefined) return undefined;
      list = withChange(list, change.id, this.#before(change), change.value, change.isRenewed);
    }
    return list?.records;
  }

  count(where: Condition = everything, changed: readonly ChangedRecord[] = []): number | undefined {
    let count = this.#counts.get(conditionKey(where))?.count;
    for (const change of changed) {
      const before = this.#before(change);
      if (count === undefined || before === undefined) return undefined;
      count += Number(meets(change.value, where)) - Number(meets(before, where));
    }
    return count;
  }

  /** The record below the changes; `null` if it does not exist there, `undefined` if that is not known. */
  #before({ id, isCreated }: ChangedRecord): StoredRecord | null | undefined {
    return isCreated ? null : this.#records.get(id);
  }

  /** Whether an answer to the query, once cached, is likely to stay: not if a change has dropped it before. */
  isLasting(query: RecordQuery): boolean {
    return this.#dropped.size < DROPPED_AT_MOST && !this.#dropped.has(listKey(query));
  }

  /** Caches a record that was read. */
  addRecord(id: string, record: StoredRecord | null): void {
    const bytes = bytesOf(record);
    this.#dropRecord(id);
    if (bytes > RESULT_BYTES) return;
    this.#makeRoom(bytes);
    this.#records.set(id, record);
    this.#bytes += bytes;
  }

  addList(query: RecordQuery, records: readonly StoredRecord[]): void {
    const bytes = ENTRY_BYTES + jsonBytes(records);
    if (bytes > RESULT_BYTES) return;
    this.#makeRoom(bytes);
    const { where = everything, offset = 0, limit = Infinity } = query;
    const key = listKey(query);
    this.#dropList(key);
    const isComplete = offset === 0 && records.length < limit;
    const ids = new Set(records.map(({ id }) => id));
    this.#lists.set(key, { query, where, records, ids, isComplete, bytes });
    this.#bytes += bytes;
  }

  addCount(where: Condition = everything, count: number): void {
    this.#makeRoom(ENTRY_BYTES);
    const key = conditionKey(where);
    if (!this.#counts.has(key)) this.#bytes += ENTRY_BYTES;
    this.#counts.set(key, { where, count });
  }

  /** Merges the cache of another table at the same revision. */
  merge(other: PartialTable): void {
    // Its entries would move behind those that are still to come, without an end.
    if (other === this) return;
    for (const [id, record] of other.#records) this.addRecord(id, record);
    for (const [key, list] of other.#lists) {
      this.#makeRoom(list.bytes);
      this.#dropList(key);
      this.#lists.set(key, list);
      this.#bytes += list.bytes;
    }
    for (const { where, count } of other.#counts.values()) this.addCount(where, count);
  }

  apply(change: Change): void {
    const id = idOf(change);
    const [before, after] = [this.#records.get(id), valueOf(change)];
    for (const [key, list] of [...this.#lists]) {
      const changed = withChange(list, id, before, after);
      if (changed === list) continue;
      this.#dropList(key);
      if (changed !== undefined) this.addList(changed.query, changed.records);
      else if (this.#dropped.size < DROPPED_AT_MOST) this.#dropped.add(key);
    }
    for (const [key, { where }] of this.#counts) {
      if (before !== undefined && meets(before, where) === meets(after, where)) continue;
      this.#counts.delete(key);
      this.#bytes -= ENTRY_BYTES;
    }
    this.addRecord(id, after);
  }

  #dropRecord(id: string): void {
    const before = this.#records.get(id);
    if (before !== undefined) this.#bytes -= bytesOf(before);
    this.#records.delete(id);
  }

  #dropList(key: string): void {
    this.#bytes -= this.#lists.get(key)?.bytes ?? 0;
    this.#lists.delete(key);
  }

  #makeRoom(bytes: number): void {
    if (this.#bytes + bytes <= this.bytesAtMost) return;
    this.#records.clear();
    this.#lists.clear();
    this.#counts.clear();
    this.#dropped.clear();
    this.#bytes = 0;
  }
}

/** The list with a later change applied; `undefined` if only the store can tell it. */
function withChange(
  list: CachedList,
  id: string,
  before: StoredRecord | null | undefined,
  after: StoredRecord | null,
  isRenewed = false,
): CachedList | undefined {
  if (isUntouched(list, id, before, after)) return list;
  if (after === null || isRenewed || !isNewFirst(list, after)) return undefined;
  const records = withFirst(list, after);
  const isComplete = records.length < (list.query.limit ?? Infinity);
  return { ...list, records, ids: new Set(records.map((record) => record.id)), isComplete };
}

/** Whether the record is irrelevant to the list both before and after the change. */
function isUntouched(
  { where, ids, isComplete }: CachedList,
  id: string,
  before: StoredRecord | null | undefined,
  after: StoredRecord | null,
): boolean {
  if (ids.has(id) || meets(after, where)) return false;
  return isComplete || (before !== undefined && !meets(before, where));
}

/**
 * Whether the record sorts before the whole list, whatever it was before: for example, the newest message of a ledger.
 */
function isNewFirst(
  { query: { order, offset = 0 }, where, records: [first], ids }: CachedList,
  record: StoredRecord,
): boolean {
  if (order === undefined || offset > 0 || first === undefined || ids.has(record.id)) return false;
  const compared = compareAt(record, first, order.path);
  return matches(record, where) && (order.direction === 'desc' ? compared > 0 : compared < 0);
}

const withFirst = ({ query: { limit = Infinity }, records }: CachedList, record: StoredRecord): StoredRecord[] =>
  [record, ...records].slice(0, limit);

const meets = (record: StoredRecord | null, where: Condition): boolean => record !== null && matches(record, where);

const bytesOf = (record: StoredRecord | null): number => ENTRY_BYTES + (record === null ? 0 : jsonBytes(record));

const listKey = ({ where = everything, order, offset = 0, limit, bytes }: RecordQuery): string =>
  `${conditionKey(where)} ${JSON.stringify(order ?? null)} ${String(offset)} ${String(limit)} ${String(bytes)}`;

/** Returned records belong to the table. */
export interface CachedTable {
  /** Size of its records as JSON. */
  readonly bytes: number;
  /** `null` if the record does not exist; `undefined` if that is not known. */
  get(id: string): StoredRecord | null | undefined;
  /** With later changes applied; `undefined` if the result is not known. Throws `PAGE_TOO_LARGE`. */
  find(query: RecordQuery, changed?: readonly ChangedRecord[]): readonly StoredRecord[] | undefined;
  /** As `find`. */
  count(where: Condition | undefined, changed?: readonly ChangedRecord[]): number | undefined;
  /** Applies a committed change. */
  apply(change: Change): void;
}

/** The records that match a query, out of all records in insertion order. Throws `PAGE_TOO_LARGE`. */
export function select(records: Iterable<StoredRecord>, query: RecordQuery): StoredRecord[] {
  const { where = everything, order, offset = 0, limit = Infinity, bytes = Infinity } = query;
  const selected = [...records].filter((record) => matches(record, where));
  if (order !== undefined) {
    selected.sort((a, b) => compareAt(a, b, order.path));
    if (order.direction === 'desc') selected.reverse();
  }
  const page = selected.slice(offset, offset + limit);
  if (bytes !== Infinity && page.reduce((sum, record) => sum + jsonBytes(record), 0) > bytes) {
    throw new BlockworkError('PAGE_TOO_LARGE', { facts: { limit: bytes } });
  }
  return page;
}

export const idOf = (change: Change): string => (change.op === 'put' ? change.value.id : change.id);

/** The record after the change; `null` if it was deleted. */
export const valueOf = (change: Change): StoredRecord | null => (change.op === 'put' ? change.value : null);
