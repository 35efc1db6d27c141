/** What a schema says of its fields beyond their types: which ones it has, and what they are for. */
import { isObject, type JsonObject } from '@blockwork/core/block';
import { definitionsIn, resolved } from './schema-definitions.js';

/** Levels of objects within objects that are looked at. */
const LEVELS = 10;

/** Whether a subject of this schema may have the field. */
export function takesField({ properties, additionalProperties }: Record<string, unknown>, name: string): boolean {
  return additionalProperties !== false || (isObject(properties) && Object.hasOwn(properties, name));
}

/**
 * The ledger accounts that a subject names, by field: those fields that the schema gives the custom type
 * `hederaAccount`. A field within an object is named by its path, `field1.field0`.
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

/** `$comment` holds JSON as text; what is no such text says nothing. */
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
