/** Converts records to rows: the JSON text, and the keys of the paths that have a column. */
import { valueAt, type RecordKind } from '@blockwork/core/adapter';
import { layoutOf, type Layout, type Table } from '../schema/layout.js';
import { elementKeys, equalityKey } from './equality-key.js';
import { fullName, nameOf } from './name.js';
import { sortKey } from './sort-key.js';

/** The address of a record, in database names. */
export interface Address {
  readonly table: Table;
  readonly partition: string;
  readonly kind: RecordKind;
  readonly id: string;
}

export interface Row extends Address {
  /** Values of all columns but the place, by their names; sort keys in hex, elements joined by `ELEMENT_SEPARATOR`. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly body: string;
}

/** Escaped text holds no control characters, so they can separate it. */
export const ELEMENT_SEPARATOR = '\x1f';

export const addressOf = (kind: RecordKind, partition: string, id: string): Address => ({
  table: layoutOf(kind).table,
  partition: nameOf(partition),
  kind,
  id: nameOf(id),
});

export function rowOf(kind: RecordKind, partition: string, value: { readonly id: string }): Row {
  const layout = layoutOf(kind);
  const address = addressOf(kind, partition, value.id);
  const columns: Record<string, string | null> = { ...keyColumns(layout, value), name: fullName(partition) };
  for (const column of layout.table.address) columns[column] = address[column as 'partition' | 'kind' | 'id'];
  return { ...address, columns, body: JSON.stringify(value) };
}

function keyColumns({ missing, keys, sorts }: Layout, value: unknown): Record<string, string | null> {
  const columns: Record<string, string | null> = {};
  const elements: string[] = [];
  for (const { column, path } of keys) {
    const columnValue = valueAt(value, path);
    columns[column] = equalityKey(columnValue) ?? missing;
    const keys = Array.isArray(columnValue) ? elementKeys(column, columnValue) : [];
    // The leading empty element has no meaning, but matches rows that are already stored.
    if (keys.length > 0) elements.push('', ...keys);
  }
  for (const { column, path } of sorts) columns[column] = sortKey(valueAt(value, path));
  const isUnsorted = sorts.some(({ column }) => columns[column] === null);
  columns['elements'] = elements.length === 0 ? null : elements.join(ELEMENT_SEPARATOR);
  columns['unsorted'] = isUnsorted ? 't' : 'f';
  return columns;
}
