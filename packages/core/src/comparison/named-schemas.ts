/** Schemas by their names: each export or publication of a policy gives them new ids, which mean nothing to a reader. */
import type { SchemaRecord } from '../records/index.js';

/** The value with every text that is the id of a schema replaced by the schema's name. */
export function withSchemaNames<T>(value: T, schemas: readonly SchemaRecord[]): T {
  const names = new Map(schemas.map(({ id, name }) => [id, `schema "${name}"`]));
  const named: unknown = JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'string' ? (names.get(member) ?? member) : member,
    ),
  );
  return named as T;
}
