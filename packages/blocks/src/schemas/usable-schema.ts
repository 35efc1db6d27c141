/** Prepares a policy's JSON Schema for compilation: known keywords only, local references only, nothing fetched. */
import { isObject, nestsTooDeep, NESTING_AT_MOST } from '@blockwork/core/block';
import { Guards } from './conditions/guards.js';
import { DECIMAL_MULTIPLE, Own } from './conditions/keywords.js';
import { DIFFERENT_ITEMS } from './limits.js';
import { definitionsIn } from './schema-fields.js';
import { SchemaUnusable } from './schema-unusable.js';

/** Keyword added to subschemas: the number of steps that a visit costs. */
export const COUNTED = 'countedStep';

/** Keywords that hold one schema, a list of schemas, schemas by name, and plain values. All others are removed. */
const one = ['additionalItems', 'additionalProperties', 'contains', 'propertyNames', 'if', 'then', 'else', 'not'];
const many = ['allOf', 'anyOf', 'oneOf'];
const named = ['properties', 'patternProperties', 'dependencies'];
const plain = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
];

type Schema = Record<string, unknown>;

/**
 * The schema with all definitions under `$defs`, and references into it. Read-only fields are not required: the server
 * fills in those of the subject, and nested ones stay absent. Throws `SchemaUnusable`.
 */
export function usableSchema(document: Record<string, unknown>): Schema {
  if (nestsTooDeep(document)) throw new SchemaUnusable(`it nests deeper than ${String(NESTING_AT_MOST)} levels`);
  const definitions = definitionsIn(document);
  const different = [...new Set([document, ...definitions.values()])];
  const placeFor = (definition: Schema): string => `#/$defs/d${String(different.indexOf(definition))}`;
  const places = new Map([...definitions].map(([name, definition]) => [name, placeFor(definition)]));
  places.set('#', placeFor(document));
  const guards = new Guards(definitions, (at) => `#/$defs/s${String(at)}`);
  const $defs: Schema = {};
  for (const [at, each] of different.entries()) $defs[`d${String(at)}`] = usable(guards.guarded(each), places);
  for (const [at, each] of guards.shared.entries()) $defs[`s${String(at)}`] = usable(each, places);
  return { $ref: placeFor(document), $defs };
}

function usable(schema: unknown, places: ReadonlyMap<string, string>): Schema | boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw new SchemaUnusable('there is something else in place of a schema');
  const result: Schema = {};
  let weight = 0;
  const below = (value: unknown): Schema | boolean => {
    weight += 1;
    return usable(value, places);
  };
  for (const [word, value] of Object.entries(schema)) {
    if (value instanceof Own) result[word] = value.content;
    else if (word === 'multipleOf' && typeof value === 'number' && value > 0) result[DECIMAL_MULTIPLE] = value;
    else if (plain.includes(word)) result[word] = value;
    else if (one.includes(word)) result[word] = below(value);
    else if (many.includes(word)) result[word] = listOf(word, value).map(below);
    else if (named.includes(word)) result[word] = membersOf(word, value, below);
    else if (word === 'items') result[word] = Array.isArray(value) ? value.map(below) : below(value);
    else if (word === 'required') result[word] = required(schema, value);
  }
  if (schema.$ref instanceof Own) weight += 1;
  else if (schema.$ref !== undefined && !isRemoteList(schema)) {
    result.$ref = placeOf(schema.$ref, places);
    weight += 1;
  }
  if (result.uniqueItems === true) result.maxItems = Math.min(Number(result.maxItems ?? Infinity), DIFFERENT_ITEMS);
  if (Array.isArray(result.enum) && result.enum.length > 20) weight += result.enum.length;
  // A subschema without children is counted by its parent.
  if (weight > 0) result[COUNTED] = weight;
  return result;
}

/** A field whose choices stand in a file elsewhere. Nothing is fetched, so any value of its type is one of them. */
const isRemoteList = ({ $ref, type }: Schema): boolean =>
  typeof type === 'string' && typeof $ref === 'string' && /^(ipfs|https?):\/\//.test($ref);

function listOf(word: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new SchemaUnusable(`"${word}" is not a list of schemas`);
  return value;
}

/** A dependency is a schema, or a list of names. */
function membersOf(word: string, value: unknown, below: (value: unknown) => unknown): Schema {
  if (!isObject(value)) throw new SchemaUnusable(`"${word}" is not an object`);
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    Array.isArray(member) ? member : below(member),
  ]);
  return Object.fromEntries(members);
}

function placeOf(reference: unknown, places: ReadonlyMap<string, string>): string {
  const place = typeof reference === 'string' ? places.get(reference) : undefined;
  if (place !== undefined) return place;
  throw new SchemaUnusable(`it refers to ${JSON.stringify(reference)}, which is not among its own definitions`);
}

function required({ properties }: Schema, names: unknown): string[] {
  if (!Array.isArray(names)) throw new SchemaUnusable('"required" is not a list of names');
  const declared = isObject(properties) ? properties : {};
  const isReadOnly = (name: string): boolean => {
    const property = Object.hasOwn(declared, name) ? declared[name] : undefined;
    return isObject(property) && property.readOnly === true;
  };
  return [...new Set(names.filter((name) => typeof name === 'string' && !isReadOnly(name)) as string[])];
}
