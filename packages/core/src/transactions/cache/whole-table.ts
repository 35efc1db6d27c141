/** A small table cached whole, so that every query on it can be answered. */
import type { Change, RecordQuery } from '../../ports/index.js';
import { everything, jsonBytes, matches } from '../../records/index.js';
import type { Condition } from '../../records/index.js';
import type { ChangedRecord, StoredRecord } from '../undurable-changes.js';
import { idOf, select, valueOf, type CachedTable } from './partial-table.js';

export class WholeTable implements CachedTable {
  /** In insertion order: like a store, a `Map` keeps the position of a key that is set again. */
  readonly #records = new Map<string, StoredRecord>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  /** `records`: all of them, in insertion order. Ownership passes to the table. */
  constructor(records: readonly StoredRecord[]) {
    for (const record of records) this.#put(record);
  }

  get size(): number {
    return this.#records.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(id: string): StoredRecord | null {
    return this.#records.get(id) ?? null;
  }

  find(query: RecordQuery, changed: readonly ChangedRecord[] = []): StoredRecord[] | undefined {
    const records = this.#with(changed);
    return records && select(records, query);
  }

  count(where: Condition = everything, changed: readonly ChangedRecord[] = []): number | undefined {
    const records = this.#with(changed);
    if (records === undefined) return undefined;
    let count = 0;
    for (const record of records) if (matches(record, where)) count += 1;
    return count;
  }

  apply(change: Change): void {
    const value = valueOf(change);
    if (value !== null) this.#put(value);
    else this.#delete(idOf(change));
  }

  /** The records with later changes applied; `undefined` if only the store can determine their order. */
  #with(changed: readonly ChangedRecord[]): Iterable<StoredRecord> | undefined {
    if (changed.length === 0) return this.#records.values();
    if (changed.some(({ isRenewed }) => isRenewed)) return undefined;
    const records = new Map(this.#records);
    for (const { id, value } of changed) {
      if (value === null) records.delete(id);
      else records.set(id, value);
    }
    return records.values();
  }

  #put(record: StoredRecord): void {
    const bytes = jsonBytes(record);
    this.#bytes += bytes - (this.#sizes.get(record.id) ?? 0);
    this.#sizes.set(record.id, bytes);
    this.#records.set(record.id, record);
  }

  #delete(id: string): void {
    this.#bytes -= this.#sizes.get(id) ?? 0;
    this.#sizes.delete(id);
    this.#records.delete(id);
  }
}
