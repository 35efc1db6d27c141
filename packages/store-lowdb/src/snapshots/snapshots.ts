/** The tables as their snapshots store them, and the revisions, which are stored like a table. */
import { isHistory, type ChangeSet } from '@blockwork/core/adapter';
import { partName, revisionsName } from '../files/layout.js';
import { isSeparated, tableKindOf } from '../manifest/table-kind.js';
import { TableMap } from '../manifest/manifest-content.js';
import { ArrivalOrder } from './arrival-order.js';
import { MultipartTable, type TableCapture } from './multipart-table.js';

/** Estimated size of a revision in a file, beside its key. */
const revisionBytes = 32;

export interface RevisionRow {
  readonly key: string;
  readonly revision: number;
}

export class Snapshots {
  readonly #tables = new TableMap<MultipartTable>();
  readonly #partBytes: number;
  readonly revisions: MultipartTable;
  /** The insertion order of records whose kind is kept in several tables. */
  readonly arrivals = new ArrivalOrder();
  readonly #dirty = new Set<MultipartTable>();

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
    this.revisions = new MultipartTable('', 'revisions', partBytes, revisionsName);
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** `bytes`: the length of the commit's line in the journal. `rows`: what to store of each change in place of its value. */
  apply({ expect, changes }: ChangeSet, bytes: number, rows?: readonly unknown[]): void {
    for (const [at, change] of changes.entries()) {
      const table = this.table(change.partition, tableKindOf(change));
      if (change.op === 'put') this.put(table, change.value, bytes / changes.length, rows?.[at]);
      else this.#delete(table, change.id);
    }
    for (const [key, revision] of Object.entries(expect)) this.setRevision(key, revision + 1);
  }

  /** `bytes`: estimated size of the record in a file. `row`: what to store in place of the record. */
  put(table: MultipartTable, record: { readonly id: string }, bytes: number, row: unknown = record): void {
    if (isSeparated(table.kind, table.partition)) this.arrivals.add(record.id);
    table.put(record.id, row, bytes);
    this.trackChange(table);
  }

  #delete(table: MultipartTable, id: string): void {
    if (isSeparated(table.kind, table.partition)) this.arrivals.remove(id);
    table.delete(id);
    this.trackChange(table);
  }

  setRevision(key: string, revision: number): void {
    this.revisions.put(key, { key, revision } satisfies RevisionRow, key.length + revisionBytes);
    this.trackChange(this.revisions);
  }

  /** `undefined` if it has no records. */
  find(partition: string, kind: string): MultipartTable | undefined {
    return this.#tables.get(partition, kind);
  }

  /** Created if there is none. */
  table(partition: string, kind: string): MultipartTable {
    const existing = this.#tables.get(partition, kind);
    if (existing !== undefined) return existing;
    const nameOf = (part: number, upTo: number): string => partName(partition, kind, part, upTo);
    const created = new MultipartTable(partition, kind, this.#partBytes, nameOf);
    this.#tables.set(partition, kind, created);
    return created;
  }

  /** All tables, without the revisions. */
  *tables(): IterableIterator<MultipartTable> {
    for (const { value } of this.#tables) yield value;
  }

  /** Call after changing a table directly. */
  trackChange(table: MultipartTable): void {
    if (table.isDirty) this.#dirty.add(table);
  }

  /** Forces the next checkpoint to rewrite the table's part list. */
  rewritePartList(table: MultipartTable): void {
    table.isDirty = true;
    this.trackChange(table);
  }

  /** Excludes the table from checkpoints; its files stay as they are. */
  forget(partition: string, kind: string): void {
    const table = this.#tables.get(partition, kind);
    if (table !== undefined) this.#dirty.delete(table);
    this.#tables.delete(partition, kind);
  }

  /** What to write as of now. Call `restore` for every capture that is not written. */
  captureDirty(): TableCapture[] {
    const captures = Array.from(this.#dirty, (table) => table.capture());
    this.#dirty.clear();
    return captures;
  }

  restore(capture: TableCapture): void {
    capture.table.restore(capture);
    this.#dirty.add(capture.table);
  }

  /** Drops a table that is written and empty. */
  dropIfEmpty(table: MultipartTable): void {
    if (table !== this.revisions && table.isEmpty && !table.isDirty) this.#tables.delete(table.partition, table.kind);
  }

  /** Merges small parts. */
  compact(): void {
    for (const table of [...this.tables(), this.revisions]) {
      table.compact();
      this.trackChange(table);
    }
  }
}

/** The part of a change set that is kept in memory. */
export const withoutHistory = ({ expect, changes }: ChangeSet): ChangeSet => ({
  expect,
  changes: changes.filter(({ kind }) => !isHistory(kind)),
});
