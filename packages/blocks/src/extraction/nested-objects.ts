/** Finds the objects of one schema within a subject, guided by the subject's schema. */
import { isObject, type JsonObject } from '@blockwork/core/block';
import { definitionsIn, propertiesOf, resolved } from '../schemas/index.js';

/** Maximum search depth. */
const LEVELS = 20;

/** The objects themselves, not copies, in field order; walks lists and skips missing values. */
export function nestedObjects(schema: JsonObject, subject: JsonObject, iri: string): JsonObject[] {
  const definitions = definitionsIn(schema);
  const found: JsonObject[] = [];
  const look = (property: unknown, value: unknown, level: number): void => {
    if (Array.isArray(value)) {
      const items = isObject(property) ? property.items : undefined;
      for (const each of value) look(items, each, level);
      return;
    }
    if (!isObject(value) || !isObject(property)) return;
    const definition = resolved(property, definitions);
    if (property.$ref === iri || (level > 0 && definition?.$id === iri)) found.push(value as JsonObject);
    else if (definition !== undefined && level < LEVELS) visitMembers(definition, value, level);
  };
  const visitMembers = (definition: Record<string, unknown>, value: Record<string, unknown>, level: number): void => {
    for (const [name, property] of Object.entries(propertiesOf(definition))) {
      if (Object.hasOwn(value, name)) look(firstOf(property), value[name], level + 1);
    }
  };
  visitMembers(schema, subject, 0);
  return found;
}

/** A field with several alternatives uses the first, as in forms. */
function firstOf(property: unknown): unknown {
  if (!isObject(property) || !Array.isArray(property.oneOf)) return property;
  const alternatives: readonly unknown[] = property.oneOf;
  return alternatives[0];
}
