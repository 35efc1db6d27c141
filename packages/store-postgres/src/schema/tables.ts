/** The names of the tables, with their schema. */
import { DEFAULT_SCHEMA } from '../options.js';

export interface Tables {
  readonly schemaName: string;
  /** Quoted for SQL. */
  readonly schema: string;
  readonly schemaVersion: string;
  readonly revision: string;
  readonly lane: string;
  readonly record: string;
  readonly document: string;
  readonly tally: string;
  readonly node: string;
  readonly lease: string;
  /** Exists only between two migrations. */
  readonly letter: string;
  /** One row with a random id, see the migration that creates it. */
  readonly history: string;
  /** Exists only while another store is copied into the schema. */
  readonly copyProgress: string;
}

/** `schema` is not escaped: pass only a name that was validated as an option. */
export function tablesIn(schema = DEFAULT_SCHEMA): Tables {
  const quoted = `"${schema}"`;
  return {
    schemaName: schema,
    schema: quoted,
    schemaVersion: `${quoted}.schema_version`,
    revision: `${quoted}.revision`,
    lane: `${quoted}.lane`,
    record: `${quoted}.record`,
    document: `${quoted}.document`,
    tally: `${quoted}.tally`,
    node: `${quoted}.node`,
    lease: `${quoted}.lease`,
    letter: `${quoted}.letter`,
    history: `${quoted}.history`,
    copyProgress: `${quoted}.copy_progress`,
  };
}
