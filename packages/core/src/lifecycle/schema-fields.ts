/** The JSON Schemas of a policy: which fields they have, and types in them that JSON Schema does not know. */
import { didYouMean } from '../options/index.js';
import { pointerOf } from '../policy/index.js';
import { isObject, type JsonObject } from '../records/index.js';

const jsonTypes: readonly string[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const one = ['items', 'additionalItems', 'additionalProperties', 'contains', 'if', 'then', 'else', 'not'];
const many = ['items', 'allOf', 'anyOf', 'oneOf'];
const byName = ['properties', 'patternProperties', '$defs', 'definitions'];

interface Subschema {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: readonly PropertyKey[];
}

/** The names of all properties, at any depth. */
export function fieldsOf(document: JsonObject): Set<string> {
  const fields = new Set<string>();
  for (const { schema } of subschemas(document)) {
    if (isObject(schema['properties'])) for (const name of Object.keys(schema['properties'])) fields.add(name);
  }
  return fields;
}

/** A sentence for each type that does not exist. */
export function unknownTypes(document: JsonObject): string[] {
  return subschemas(document).flatMap(({ schema, path }) => {
    const { type } = schema;
    const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
    return types
      .filter((each) => typeof each !== 'string' || !jsonTypes.includes(each))
      .map((each) => {
        const hint = typeof each === 'string' ? didYouMean(each, jsonTypes) : '';
        return `${pointerOf([...path, 'type'])} is ${JSON.stringify(each)}, which is none of ${jsonTypes.join(', ')}${hint}`;
      });
  });
}

/** Without recursion: how deep a document nests is limited when it is read, but not for schemas given as JSON. */
function subschemas(document: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  const open: { value: unknown; path: readonly PropertyKey[] }[] = [{ value: document, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: schema, path } = next;
    if (!isObject(schema)) continue;
    found.push({ schema, path });
    for (const word of one) open.push({ value: schema[word], path: [...path, word] });
    for (const word of [...many, ...byName]) {
      for (const [key, value] of entriesOf(word, schema[word])) open.push({ value, path: [...path, word, key] });
    }
  }
  return found;
}

function entriesOf(word: string, held: unknown): [string, unknown][] {
  if (Array.isArray(held)) return many.includes(word) ? Object.entries(held) : [];
  return isObject(held) && byName.includes(word) ? Object.entries(held) : [];
}
