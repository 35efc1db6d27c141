/** Migration 4: messages between nodes, which live for milliseconds. */
import type { Migration } from './migration.js';

/** Unlogged, so that no write waits for a flush. A crash of the server loses letters; their senders retry. */
export const nodeMessages: Migration = {
  title: 'letters between nodes',
  statements: ({ letter }, text) => [
    `create unlogged table ${letter} (\n  recipient ${text} not null,\n  id ${text} not null,\n  sent timestamptz not null,\n  body text not null,\n  primary key (recipient, id)\n)`,
  ],
};
