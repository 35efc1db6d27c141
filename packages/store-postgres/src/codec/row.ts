/** Converts records to rows: the JSON text, and the keys of the paths that have a column. */
import { valueAt, type RecordKind } from '@blockwork/core/adapter';
import { layoutOf, type KeyColumn, type Layout, type Table } from '../schema/layout.js';
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
  /** Values of `rowColumns`; sort keys in hex, elements joined by `ELEMENT_SEPARATOR`. */
  readonly values: readonly (string | null)[];
  readonly body: string;
}

/** Escaped text holds no control characters, so they can separate it. */
export const ELEMENT_SEPARATOR = '\x1f';

/** The columns of a row but its place and its body. */
export const rowColumns = (table: Table): readonly string[] => [
  ...table.address,
  ...table.keys,
  ...table.sorts,
  'unsorted',
  'elements',
  'name',
];

export const addressOf = (kind: RecordKind, partition: string, id: string): Address => ({
  table: layoutOf(kind).table,
  partition: nameOf(partition),
  kind,
  id: nameOf(id),
});

export function rowOf(kind: RecordKind, partition: string, value: { readonly id: string }): Row {
  const layout = layoutOf(kind);
  const address = addressOf(kind, partition, value.id);
  const values: (string | null)[] = layout.table.address.map(
    (column) => address[column as 'partition' | 'kind' | 'id'],
  );
  addKeys(values, layout, value);
  values.push(fullName(partition));
  return { ...address, values, body: JSON.stringify(value) };
}

/** A list of values, since an object with the names of all columns costs more than all the rest of a row. */
function addKeys(values: (string | null)[], { table, missing, keys, sorts }: Layout, value: unknown): void {
  const elements: string[] = [];
  const paths = pathsOf(table.keys, keys);
  for (const [at, column] of table.keys.entries()) {
    const path = paths[at];
    if (path === undefined) {
      values.push(null);
      continue;
    }
    const keyed = valueAt(value, path);
    values.push(equalityKey(keyed) ?? missing);
    const keysOfElements = Array.isArray(keyed) ? elementKeys(column, keyed) : [];
    // The leading empty element has no meaning, but matches rows that are already stored.
    if (keysOfElements.length > 0) elements.push('', ...keysOfElements);
  }
  let isUnsorted = false;
  for (const path of pathsOf(table.sorts, sorts)) {
    const key = path === undefined ? null : sortKey(valueAt(value, path));
    if (path !== undefined && key === null) isUnsorted = true;
    values.push(key);
  }
  values.push(isUnsorted ? 't' : 'f', elements.length === 0 ? null : elements.join(ELEMENT_SEPARATOR));
}

/** The path of each column; `undefined` for one that the kind of record does not use. */
function pathsOf(columns: readonly string[], used: readonly KeyColumn[]): readonly (string | undefined)[] {
  let paths = pathsOfColumns.get(used);
  if (paths === undefined) {
    paths = columns.map((column) => used.find((each) => each.column === column)?.path);
    pathsOfColumns.set(used, paths);
  }
  return paths;
}

const pathsOfColumns = new WeakMap<readonly KeyColumn[], readonly (string | undefined)[]>();
