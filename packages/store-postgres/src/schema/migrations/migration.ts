/** One step from a version of the schema to the next. Once released, a step is never changed: later ones add to it. */
import type { Tables } from '../tables.js';

export interface Migration {
  /** In a few words, for those who read the printed SQL. */
  readonly title: string;
  /** `text`: the type of a column of text, compared by its bytes. */
  readonly statements: (tables: Tables, text: string) => readonly string[];
}
