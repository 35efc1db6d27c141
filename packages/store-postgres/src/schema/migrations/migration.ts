/** The type of a migration: one step from a schema version to the next. A released migration is never changed. */
import type { Tables } from '../tables.js';

export interface Migration {
  /** A few words, for readers of the printed SQL. */
  readonly title: string;
  /** `text`: the type of a text column that is compared bytewise. */
  readonly statements: (tables: Tables, text: string) => readonly string[];
}
