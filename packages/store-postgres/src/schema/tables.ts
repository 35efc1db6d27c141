/** The names of the tables, with their schema. */
import { schemaName } from '../options.js';

export interface Tables {
  readonly schemaName: string;
  /** As it stands in SQL. */
  readonly schema: string;
  readonly schemaVersion: string;
  readonly revision: string;
  readonly lane: string;
  readonly record: string;
  readonly document: string;
  readonly tally: string;
}

/** Throws `OPTION_INVALID` for a name that is none. */
export function tablesIn(schema: string | undefined): Tables {
  const name = schemaName(schema);
  const quoted = `"${name}"`;
  return {
    schemaName: name,
    schema: quoted,
    schemaVersion: `${quoted}.schema_version`,
    revision: `${quoted}.revision`,
    lane: `${quoted}.lane`,
    record: `${quoted}.record`,
    document: `${quoted}.document`,
    tally: `${quoted}.tally`,
  };
}
