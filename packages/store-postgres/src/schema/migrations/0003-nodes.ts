/** Migration 3: live nodes, and the leases on work that they hold. */
import type { Migration } from './migration.js';

/** `holder`: null while a lease is postponed until it is due. `failures`: consecutive ones, for the next holder. */
export const nodes: Migration = {
  title: 'nodes and leases',
  statements: ({ node, lease }, text) => [
    `create table ${node} (\n  id ${text} primary key,\n  facts text not null,\n  since timestamptz not null,\n  alive_until timestamptz not null\n) with (fillfactor = 50)`,
    `create table ${lease} (\n  name ${text} primary key,\n  holder ${text},\n  failures integer not null,\n  due timestamptz\n) with (fillfactor = 50)`,
    `create index lease_holder on ${lease} (holder) where holder is not null`,
  ],
};
