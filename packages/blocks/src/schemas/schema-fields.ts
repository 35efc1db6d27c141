/** The fields of a schema, and their meaning beyond the JSON type. */
import { isObject, type JsonObject } from '@blockwork/core/block';

/** Levels of nested objects that are searched. */
const LEVELS = 10;

/** Whether a subject of this schema may have the field. */
export function takesField({ properties, additionalProperties }: Record<string, unknown>, name: string): boolean {
  return additionalProperties !== false || (isObject(properties) && Object.hasOwn(properties, name));
}

/**
 * The ledger accounts in a subject: the values of fields with the custom type `hederaAccount`, by path, such as
 * `field1.field0`.
 */
export function accountsIn(schema: JsonObject, subject: JsonObject): Record<string, string> {
  const definitions = definitionsIn(schema);
  const accounts: Record<string, string> = {};
  const look = (
    within: Record<string, unknown>,
    values: Record<string, unknown>,
    path: string,
    level: number,
  ): void => {
    for (const [name, property] of Object.entries(propertiesOf(within))) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (typeof value === 'string' && value !== '' && customTypeOf(property) === 'hederaAccount') {
        Object.defineProperty(accounts, path + name, { value, enumerable: true, writable: true, configurable: true });
      }
      const inner = resolved(property, definitions);
      if (isObject(value) && inner !== undefined && level < LEVELS) look(inner, value, `${path}${name}.`, level + 1);
    }
  };
  look(schema, subject, '', 1);
  return accounts;
}

export const propertiesOf = ({ properties }: Record<string, unknown>): Record<string, unknown> =>
  isObject(properties) ? properties : {};

/** The JSON in `$comment`; an empty object where there is none. */
export function commentOf(schema: unknown): Record<string, unknown> {
  if (!isObject(schema) || typeof schema.$comment !== 'string') return {};
  try {
    const comment: unknown = JSON.parse(schema.$comment);
    return isObject(comment) ? comment : {};
  } catch {
    return {};
  }
}

const customTypeOf = (schema: unknown): unknown => commentOf(schema).customType;

/**
 * Policies write `$defs: {"#<uuid>&<version>": {$id: "#<uuid>&<version>", …}}` and refer to the id. JSON pointers into
 * the definitions work as well.
 */
export function definitionsIn(document: Record<string, unknown>): Map<string, Record<string, unknown>> {
  const definitions = new Map<string, Record<string, unknown>>();
  const name = (key: string, definition: Record<string, unknown>): void => {
    if (!definitions.has(key)) definitions.set(key, definition);
  };
  for (const word of ['$defs', 'definitions']) {
    const definitions = document[word];
    if (!isObject(definitions)) continue;
    for (const [key, definition] of Object.entries(definitions)) {
      if (!isObject(definition)) continue;
      name(key, definition);
      name(`#/${word}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, definition);
      if (typeof definition.$id === 'string') name(definition.$id, definition);
    }
  }
  if (typeof document.$id === 'string') name(document.$id, document);
  return definitions;
}

/** Follows a reference to its definition; a schema without `$ref` is returned as it is. */
export function resolved(
  schema: unknown,
  definitions: ReadonlyMap<string, Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (!isObject(schema)) return undefined;
  return typeof schema.$ref === 'string' ? definitions.get(schema.$ref) : schema;
}
