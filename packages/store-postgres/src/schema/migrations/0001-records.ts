/**
 * Migration 1: revisions, commit lanes and records. Documents have their own table, since grids query them in many
 * ways.
 */
import { documentTable, recordTable, type Table } from '../layout.js';
import type { Migration } from './migration.js';

/**
 * `place`: the insertion order, see the commit statement. `elements`: keys of the elements of lists at indexed paths,
 * if any. `unsorted`: a text is too long for a sort key. `name`: the full name of the partition, if its key is
 * shortened.
 */
const columnsOf = (table: Table, text: string): string =>
  [
    ...table.address.map((column) => `${column} ${text} not null`),
    'place bigint not null',
    ...table.keys.map((column) => `${column} ${text}`),
    ...table.sorts.map((column) => `${column} bytea`),
    'unsorted boolean not null',
    'elements text[]',
    'name text',
    'body text not null',
    `primary key (${table.address.join(', ')})`,
  ].join(',\n  ');

/** Keys that few rows have or few queries use. */
const rareDocumentKeys = [
  'owner_group',
  'assigned_to',
  'assigned_group',
  'message_id',
  'hash',
  'document_id',
  'subject_id',
  'subject_ref',
];

export const records: Migration = {
  title: 'revisions, lanes, records and documents',
  statements: ({ revision, lane, record, document }, text) => [
    // Only `number` and `place` change, which are not indexed: free space on the page allows HOT updates.
    `create table ${revision} (\n  key ${text} primary key,\n  number bigint not null,\n  place bigint not null,\n  name text\n) with (fillfactor = 70)`,
    `create table ${lane} (\n  id ${text} primary key,\n  number bigint not null,\n  failed text not null,\n  used_at timestamptz not null\n) with (fillfactor = 50)`,

    `create table ${record} (\n  ${columnsOf(recordTable, text)}\n)`,
    `create unique index record_place on ${record} (partition, kind, place)`,
    ...['k1', 'k2', 'k3', 'o1', 'o2'].map(
      (column) =>
        `create index record_${column} on ${record} (partition, kind, ${column}, place) where ${column} is not null`,
    ),
    `create index record_listed on ${record} (partition, kind, place) where elements is not null`,
    `create index record_unsorted on ${record} (partition, kind, place) where unsorted`,
    `create index record_elements on ${record} using gin (elements) where elements is not null`,

    `create table ${document} (\n  ${columnsOf(documentTable, text)}\n)`,
    `create unique index document_place on ${document} (partition, place)`,
    `create index document_status on ${document} (partition, schema, type, status, place)`,
    `create index document_schema on ${document} (partition, schema, place)`,
    `create index document_owner on ${document} (partition, owner, schema, place)`,
    `create index document_created on ${document} (partition, created, place)`,
    ...rareDocumentKeys.map(
      (column) =>
        `create index document_${column} on ${document} (partition, ${column}, place) where ${column} is not null`,
    ),
    `create index document_listed on ${document} (partition, place) where elements is not null`,
    `create index document_unsorted on ${document} (partition, place) where unsorted`,
    `create index document_elements on ${document} using gin (elements) where elements is not null`,
  ],
};
