/** Migration 6: nodes no longer send each other messages. */
import type { Migration } from './migration.js';

export const noLetters: Migration = {
  title: 'no letters between nodes',
  statements: ({ letter }) => [`drop table ${letter}`],
};
