/** Migration 5: the identity of the database's history. */
import type { Migration } from './migration.js';

/**
 * Unlogged, so that the server itself removes the row whenever it recovers: after a crash, on a standby that is
 * promoted, and from a physical backup. The next node to connect then writes another one.
 */
export const history: Migration = {
  title: 'the identity of the history',
  statements: ({ history: table }, text) => [
    `create unlogged table ${table} (\n  only_row integer primary key check (only_row = 1),\n  id ${text} not null\n)`,
  ],
};
