/** Texts from node to node, each for some milliseconds. */
import type { Migration } from './migration.js';

/** Not logged: what is lost with the server is asked again, and nobody waits for a flush. */
export const letters: Migration = {
  title: 'letters between nodes',
  statements: ({ letter }, text) => [
    `create unlogged table ${letter} (\n  recipient ${text} not null,\n  id ${text} not null,\n  sent timestamptz not null,\n  body text not null,\n  primary key (recipient, id)\n)`,
  ],
};
