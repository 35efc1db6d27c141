/** Validates a value against a JSON Schema as policies write them. Interprets, so that strict pages may run it. */
import { canonical, isObject, type Json, type JsonObject, listOf, memberOf, sameJson } from '../json.js';
import { hasFormat } from './formats.js';
import type { Patterns } from './patterns.js';
import { SchemaUnusable } from './schema-unusable.js';

/** Levels of schemas below each other, beyond which a schema counts as endless. */
const DEPTH = 64;

/** Steps of one validation. */
const STEPS = 1_000_000;

/** What is wrong with the value, by JSON pointer; empty if it fits. Throws `SchemaUnusable`. */
export function violations(schema: JsonObject, value: Json, patterns: Patterns): string[] {
  return new Validator(schema, patterns).of(schema, value, '', 0);
}

class Validator {
  readonly #definitions: ReadonlyMap<string, JsonObject>;
  readonly #patterns: Patterns;
  #steps = 0;

  constructor(schema: JsonObject, patterns: Patterns) {
    this.#definitions = definitionsIn(schema);
    this.#patterns = patterns;
  }

  of(schema: Json, value: Json, path: string, depth: number): string[] {
    if (schema === true) return [];
    if (schema === false) return [`${path} is not allowed`];
    if (!isObject(schema)) throw new SchemaUnusable('there is something else in place of a schema');
    this.#steps += 1;
    if (depth > DEPTH || this.#steps > STEPS) throw new SchemaUnusable('it never ends');
    return [
      ...this.#reference(schema, value, path, depth),
      ...typed(schema, value, path),
      ...limited(schema, value, path),
      ...(typeof value === 'string' ? this.#text(schema, value, path) : []),
      ...(isObject(value) ? this.#members(schema, value, path, depth) : []),
      ...(Array.isArray(value) ? this.#items(schema, value, path, depth) : []),
      ...this.#combined(schema, value, path, depth),
    ];
  }

  #fits(schema: Json, value: Json, depth: number): boolean {
    return this.of(schema, value, '', depth + 1).length === 0;
  }

  #reference({ $ref, type }: JsonObject, value: Json, path: string, depth: number): string[] {
    if (typeof $ref !== 'string') return [];
    // Choices that stand in a file elsewhere.
    if (typeof type === 'string' && /^(ipfs|https?):\/\//.test($ref)) return [];
    const definition = this.#definitions.get($ref);
    if (definition === undefined) throw new SchemaUnusable(`it refers to ${$ref}, which is not among its definitions`);
    return this.of(definition, value, path, depth + 1);
  }

  #members(schema: JsonObject, value: JsonObject, path: string, depth: number): string[] {
    const properties = objectAt(schema, 'properties');
    const patterns = Object.entries(objectAt(schema, 'patternProperties'));
    const problems = listOf(memberOf(schema, 'required')).flatMap((name) =>
      typeof name !== 'string' || Object.hasOwn(value, name) || isReadOnly(properties, name)
        ? []
        : [`${path}/${name} is missing`],
    );
    const { additionalProperties, propertyNames } = schema;
    for (const [name, member] of Object.entries(value)) {
      const at = `${path}/${name}`;
      const own = memberOf(properties, name);
      const matching = patterns.filter(([pattern]) => this.#patterns.matches(pattern, name)).map(([, each]) => each);
      for (const each of [...(own === undefined ? [] : [own]), ...matching]) {
        problems.push(...this.of(each, member, at, depth + 1));
      }
      if (own === undefined && matching.length === 0 && additionalProperties !== undefined) {
        problems.push(...this.of(additionalProperties, member, at, depth + 1));
      }
      if (propertyNames !== undefined && !this.#fits(propertyNames, name, depth))
        problems.push(`${at} has a forbidden name`);
    }
    return problems;
  }

  #text({ pattern, format }: JsonObject, value: string, path: string): string[] {
    const isWrong = typeof pattern === 'string' && !this.#patterns.matches(pattern, value);
    return [
      ...(isWrong ? [`${path} does not fit the pattern ${pattern}`] : []),
      ...(typeof format === 'string' && !hasFormat(format, value) ? [`${path} is not a ${format}`] : []),
    ];
  }

  #items(
    { items, additionalItems = true, contains, uniqueItems }: JsonObject,
    value: Json[],
    path: string,
    depth: number,
  ): string[] {
    const problems = value.flatMap((item, at) => {
      const schema = Array.isArray(items) ? (items[at] ?? additionalItems) : (items ?? true);
      return this.of(schema, item, `${path}/${String(at)}`, depth + 1);
    });
    if (contains !== undefined && !value.some((item) => this.#fits(contains, item, depth))) {
      problems.push(`${path} lacks an item`);
    }
    if (uniqueItems === true && new Set(value.map(canonical)).size < value.length) {
      problems.push(`${path} repeats an item`);
    }
    return problems;
  }

  #combined(schema: JsonObject, value: Json, path: string, depth: number): string[] {
    const { allOf, anyOf, oneOf, not } = schema;
    const fitting = (list: Json): number => listOf(list).filter((each) => this.#fits(each, value, depth)).length;
    return [
      ...listOf(allOf).flatMap((each) => this.of(each, value, path, depth + 1)),
      ...(anyOf !== undefined && fitting(anyOf) === 0 ? [`${path} fits none of its alternatives`] : []),
      ...(oneOf !== undefined && fitting(oneOf) !== 1 ? [`${path} does not fit exactly one of its alternatives`] : []),
      ...(not !== undefined && this.#fits(not, value, depth) ? [`${path} is what it must not be`] : []),
      ...this.#conditional(schema, value, path, depth),
    ];
  }

  #conditional(schema: JsonObject, value: Json, path: string, depth: number): string[] {
    const { if: condition, then = true, else: otherwise = true } = schema;
    if (condition === undefined) return [];
    return this.of(this.#fits(condition, value, depth) ? then : otherwise, value, path, depth + 1);
  }
}

function typed({ type, enum: choices, const: constant, nullable }: JsonObject, value: Json, path: string): string[] {
  if (nullable === true && value === null) return [];
  const types = listOf(type).filter((each) => typeof each === 'string');
  return [
    ...(types.length > 0 && !types.some((each) => isOfType(each, value))
      ? [`${path} is not of the type ${types.join(' or ')}`]
      : []),
    ...(Array.isArray(choices) && !choices.some((each) => sameJson(each, value))
      ? [`${path} is none of its choices`]
      : []),
    ...(constant !== undefined && !sameJson(constant, value) ? [`${path} is not ${JSON.stringify(constant)}`] : []),
  ];
}

function isOfType(type: string, value: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return typeof value === type;
}

/** In code points, as JSON Schema counts. */
const lengthOf = (text: string): number => Array.from(text).length;

/** Of each keyword: whether a value that it concerns breaks it. */
const limits: Readonly<Record<string, (limit: number, value: Json) => boolean>> = {
  minimum: (limit, value) => typeof value === 'number' && value < limit,
  maximum: (limit, value) => typeof value === 'number' && value > limit,
  exclusiveMinimum: (limit, value) => typeof value === 'number' && value <= limit,
  exclusiveMaximum: (limit, value) => typeof value === 'number' && value >= limit,
  minLength: (limit, value) => typeof value === 'string' && lengthOf(value) < limit,
  maxLength: (limit, value) => typeof value === 'string' && lengthOf(value) > limit,
  minItems: (limit, value) => Array.isArray(value) && value.length < limit,
  maxItems: (limit, value) => Array.isArray(value) && value.length > limit,
  minProperties: (limit, value) => isObject(value) && Object.keys(value).length < limit,
  maxProperties: (limit, value) => isObject(value) && Object.keys(value).length > limit,
};

function limited(schema: JsonObject, value: Json, path: string): string[] {
  return Object.entries(limits).flatMap(([keyword, breaks]) => {
    const limit = memberOf(schema, keyword);
    return typeof limit === 'number' && breaks(limit, value) ? [`${path} breaks ${keyword} ${String(limit)}`] : [];
  });
}

const objectAt = (schema: JsonObject, name: string): JsonObject => {
  const value = memberOf(schema, name);
  return isObject(value) ? value : {};
};

/** Fields that the server fills in are not required. */
const isReadOnly = (properties: JsonObject, name: string): boolean => objectAt(properties, name).readOnly === true;

/** By each way in which schemas refer to them: the key below `$defs`, the `$id`, and the JSON pointer. */
function definitionsIn(schema: JsonObject): Map<string, JsonObject> {
  const definitions = new Map<string, JsonObject>([['#', schema]]);
  for (const place of ['$defs', 'definitions']) {
    for (const [name, definition] of Object.entries(objectAt(schema, place))) {
      if (!isObject(definition)) continue;
      definitions.set(`#/${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, definition);
      definitions.set(name, definition);
      const { $id } = definition;
      if (typeof $id === 'string') definitions.set($id, definition);
    }
  }
  return definitions;
}
