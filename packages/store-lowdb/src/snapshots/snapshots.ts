/** All tables as their snapshots keep them, and the revisions, which are kept like one more table. */
import type { ChangeSet } from '@blockwork/core/adapter';
import { partName, revisionsName } from '../files/layout.js';
import { PartedTable, type TableCut } from './parted-table.js';
import { TableMap } from '../manifest/table-map.js';

/** What a revision takes in a file beside its key, about. */
const revisionBytes = 32;

export interface RevisionRow {
  readonly key: string;
  readonly revision: number;
}

export class Snapshots {
  readonly #tables = new TableMap<PartedTable>();
  readonly #partBytes: number;
  readonly revisions: PartedTable;
  readonly #dirty = new Set<PartedTable>();

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
    this.revisions = new PartedTable('', 'revisions', partBytes, revisionsName);
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Takes note of a commit, whose line in the journal has so many `bytes`. */
  apply({ expect, changes }: ChangeSet, bytes: number): void {
    for (const change of changes) {
      const table = this.table(change.partition, change.kind);
      if (change.op === 'put') table.put(change.value.id, change.value, bytes / changes.length);
      else table.delete(change.id);
      this.changed(table);
    }
    for (const [key, revision] of Object.entries(expect)) this.setRevision(key, revision + 1);
  }

  setRevision(key: string, revision: number): void {
    this.revisions.put(key, { key, revision } satisfies RevisionRow, key.length + revisionBytes);
    this.changed(this.revisions);
  }

  table(partition: string, kind: string): PartedTable {
    const known = this.#tables.get(partition, kind);
    if (known !== undefined) return known;
    const nameOf = (part: number, upTo: number): string => partName(partition, kind, part, upTo);
    const made = new PartedTable(partition, kind, this.#partBytes, nameOf);
    this.#tables.set(partition, kind, made);
    return made;
  }

  /** To be called after each change of a table, unless `apply` made it. */
  changed(table: PartedTable): void {
    if (table.isDirty) this.#dirty.add(table);
  }

  /** Has the next checkpoint write anew of which parts the table consists. */
  rewrite(table: PartedTable): void {
    table.isDirty = true;
    this.changed(table);
  }

  /** From now on, checkpoints leave alone what the disk holds of the table. */
  forget(partition: string, kind: string): void {
    const table = this.#tables.get(partition, kind);
    if (table !== undefined) this.#dirty.delete(table);
    this.#tables.delete(partition, kind);
  }

  /** What is to be written at this moment. Every table is to be given back that could not be written. */
  cut(): TableCut[] {
    const cuts = Array.from(this.#dirty, (table) => table.cut());
    this.#dirty.clear();
    return cuts;
  }

  giveBack(cut: TableCut): void {
    cut.table.giveBack(cut);
    this.#dirty.add(cut.table);
  }

  /** Forgets a table that was written and holds nothing. */
  release(table: PartedTable): void {
    if (table !== this.revisions && table.isEmpty && !table.isDirty) this.#tables.delete(table.partition, table.kind);
  }

  /** Puts together what many small files hold. */
  compact(): void {
    for (const table of [...Array.from(this.#tables, ({ value }) => value), this.revisions]) {
      table.compact();
      this.changed(table);
    }
  }
}
