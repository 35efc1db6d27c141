/** Schemas by name. Every export or publication of a policy gives them new ids, which are meaningless to readers. */
import type { SchemaRecord } from '../records/index.js';

/** The value with schema ids replaced by schema names. */
export function withSchemaNames<T>(value: T, schemas: readonly SchemaRecord[]): T {
  const names = new Map(schemas.map(({ id, name }) => [id, `schema "${name}"`]));
  const named: unknown = JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'string' ? (names.get(member) ?? member) : member,
    ),
  );
  return named as T;
}
