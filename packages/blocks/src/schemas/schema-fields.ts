/** The fields of a schema, and their meaning beyond the JSON type. */
import { isObject, type JsonObject } from '@blockwork/core/block';
import { definitionsIn, resolved } from './schema-definitions.js';

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
  const found: Record<string, string> = {};
  const look = (
    within: Record<string, unknown>,
    values: Record<string, unknown>,
    path: string,
    level: number,
  ): void => {
    for (const [name, property] of Object.entries(propertiesOf(within))) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (typeof value === 'string' && value !== '' && customTypeOf(property) === 'hederaAccount') {
        Object.defineProperty(found, path + name, { value, enumerable: true, writable: true, configurable: true });
      }
      const inner = resolved(property, definitions);
      if (isObject(value) && inner !== undefined && level < LEVELS) look(inner, value, `${path}${name}.`, level + 1);
    }
  };
  look(schema, subject, '', 1);
  return found;
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
