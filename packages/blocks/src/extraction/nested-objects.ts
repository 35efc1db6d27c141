/** The objects within a subject that are of one schema, by what the schema around them says. */
import { isObject, type JsonObject } from '@blockwork/core/block';
import { definitionsIn, propertiesOf, resolved } from '../schemas/index.js';

/** Levels of nested objects that are searched. */
const LEVELS = 20;

/** The objects themselves, not copies, in the order of the fields; lists are walked, and what is not there is passed over. */
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
    else if (definition !== undefined && level < LEVELS) lookInto(definition, value, level);
  };
  const lookInto = (definition: Record<string, unknown>, value: Record<string, unknown>, level: number): void => {
    for (const [name, property] of Object.entries(propertiesOf(definition))) {
      if (Object.hasOwn(value, name)) look(firstOf(property), value[name], level + 1);
    }
  };
  lookInto(schema, subject, 0);
  return found;
}

/** Fields that may have several forms are of the first one, as in forms. */
function firstOf(property: unknown): unknown {
  if (!isObject(property) || !Array.isArray(property.oneOf)) return property;
  const alternatives: readonly unknown[] = property.oneOf;
  return alternatives[0];
}
