/**
 * Changes of units of work that have ended but are not durable yet: what a unit on top of them sees in addition to the
 * store.
 */
import type { Change, ChangeSet } from '../ports/index.js';
import type { RecordKind } from '../records/index.js';

export interface StoredRecord {
  readonly id: string;
}

/** A record that undurable units have changed. */
export interface ChangedRecord {
  readonly id: string;
  /** The current value; `null` if it was deleted. */
  readonly value: StoredRecord | null;
  /** All its values since the last durable one, oldest first. The store may show any of them before it is told. */
  readonly versions: readonly (StoredRecord | null)[];
  /** Whether it is known not to exist below these changes. */
  readonly isCreated: boolean;
  /** Whether it was put again after a unit had deleted it, which gives it a new place. */
  readonly isRenewed: boolean;
}

interface Version {
  readonly unit: ChangeSet;
  readonly value: StoredRecord | null;
  readonly isCreated: boolean;
}

interface Table {
  /** By id in the order of the first change; oldest version first. */
  readonly records: Map<string, Version[]>;
  /** The id of the record that was created last. */
  lastCreated: string | undefined;
}

export class UndurableChanges {
  readonly #tables = new Map<string, Table>();
  #size = 0;

  /** Number of changes. */
  get size(): number {
    return this.#size;
  }

  /** Adds the changes of a unit on top: one of each record. `created`: those of records that did not exist before. */
  add(unit: ChangeSet, created: ReadonlySet<Change>): void {
    for (const change of unit.changes) {
      const [id, value] = change.op === 'put' ? [change.value.id, change.value] : [change.id, null];
      const table = this.#tableOf(change.kind, change.partition);
      const version = { unit, value, isCreated: created.has(change) };
      const versions = table.records.get(id);
      if (versions === undefined) table.records.set(id, [version]);
      else versions.push(version);
      if (version.isCreated) table.lastCreated = id;
    }
    this.#size += unit.changes.length;
  }

  /** Removes a unit that is durable: the store shows its changes. Units are removed in the order they were added. */
  remove(unit: ChangeSet): void {
    for (const change of unit.changes) {
      const id = change.op === 'put' ? change.value.id : change.id;
      const name = tableName(change.kind, change.partition);
      const table = this.#tables.get(name);
      const versions = table?.records.get(id);
      if (table === undefined || versions?.[0]?.unit !== unit) continue;
      versions.shift();
      if (versions.length === 0) table.records.delete(id);
      if (table.records.size === 0) this.#tables.delete(name);
    }
    this.#size -= unit.changes.length;
  }

  clear(): void {
    this.#tables.clear();
    this.#size = 0;
  }

  /** The record's current value; `null` if it was deleted, `undefined` if it was not changed. */
  get(kind: RecordKind, partition: string, id: string): StoredRecord | null | undefined {
    return this.#tables.get(tableName(kind, partition))?.records.get(id)?.at(-1)?.value;
  }

  /** The id of the record that was created last, while the table has changes. */
  lastCreatedIn(kind: RecordKind, partition: string): string | undefined {
    return this.#tables.get(tableName(kind, partition))?.lastCreated;
  }

  /** The changed records of a table, in the order of their first change. */
  changedIn(kind: RecordKind, partition: string): ChangedRecord[] {
    const table = this.#tables.get(tableName(kind, partition));
    if (table === undefined) return [];
    return [...table.records].map(([id, versions]) => {
      const values = versions.map(({ value }) => value);
      const last = values.at(-1) ?? null;
      // The last one may be a removal; one before it was followed by a record in a new place.
      const isRenewed = values.slice(0, -1).includes(null);
      return { id, value: last, versions: values, isCreated: versions[0]?.isCreated === true, isRenewed };
    });
  }

  #tableOf(kind: RecordKind, partition: string): Table {
    const name = tableName(kind, partition);
    let table = this.#tables.get(name);
    if (table === undefined) this.#tables.set(name, (table = { records: new Map(), lastCreated: undefined }));
    return table;
  }
}

const tableName = (kind: RecordKind, partition: string): string => `${kind}/${partition}`;
