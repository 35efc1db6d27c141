/** All migrations in order; the version of a schema is the number of migrations applied to it. */
import type { Migration } from './migration.js';
import { records } from './0001-records.js';
import { tally } from './0002-tally.js';
import { nodes } from './0003-nodes.js';
import { nodeMessages } from './0004-letters.js';
import { history } from './0005-history.js';
import { noLetters } from './0006-no-letters.js';

export const migrations: readonly Migration[] = [records, tally, nodes, nodeMessages, history, noLetters];
