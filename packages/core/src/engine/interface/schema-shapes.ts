/** A policy's schemas as JSON Schema (2020-12): the fields users fill in, without those that only the server sets. */
import { writtenMembers } from '@blockwork/contract/records';
import { isObject, type Json, type JsonObject, type SchemaRecord } from '../../records/index.js';

/** Members the server adds to every document. */
const ofServer: ReadonlySet<string> = new Set(writtenMembers);

type Written = Readonly<Record<string, unknown>>;

/** Describes referenced schemas and, transitively, those they refer to, each once. */
export class SchemaShapes {
  readonly #documents = new Map<string, Written>();
  readonly #names: ReadonlyMap<string, string>;
  /** IRIs in the order of first reference. */
  readonly #wanted = new Set<string>();

  constructor(schemas: readonly Pick<SchemaRecord, 'id' | 'name' | 'document'>[]) {
    const titles = new Map<string, string>();
    for (const { id, name, document } of schemas) {
      titles.set(id, name);
      this.#documents.set(id, document ?? {});
    }
    for (const { document } of schemas) {
      for (const [iri, definition] of definitionsIn(document)) {
        if (this.#documents.has(iri)) continue;
        titles.set(iri, textOf(definition['title']) ?? '');
        this.#documents.set(iri, definition);
      }
    }
    this.#names = schemaNames(titles);
  }

  /** All schemas referenced so far, directly or indirectly, by name. */
  named(): Record<string, JsonObject> {
    const shapes: [string, JsonObject][] = [];
    // The set grows during iteration, which resolves transitive references without recursion.
    for (const iri of this.#wanted) {
      shapes.push([this.#names.get(iri) ?? iri, { type: 'object', ...this.#written(this.#documents.get(iri)) }]);
    }
    return Object.fromEntries(shapes.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The shape with each `{"$ref": "<IRI>"}` replaced by a named reference; an unknown IRI becomes `{}`. */
  referring(shape: JsonObject): JsonObject {
    return this.#referring(shape) as JsonObject;
  }

  #referring(value: Json): Json {
    if (Array.isArray(value)) return value.map((each) => this.#referring(each));
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === 'string') return this.#reference($ref);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.#referring(member)]));
  }

  #reference(iri: string): JsonObject {
    const name = this.#names.get(iri);
    if (name === undefined) return {};
    this.#wanted.add(iri);
    return { $ref: `#/$defs/${name}` };
  }

  /**
   * Keeps only well-formed parts, so that the result is valid JSON Schema whatever the policy's file contains. The
   * server adds nothing to an object with alternatives, such as GeoJSON, whose `type` selects the alternative.
   */
  #written(schema: unknown, isAlternative = false): JsonObject {
    if (!isObject(schema)) return {};
    const { $ref, type } = schema;
    // If it also has a type, `$ref` is the address of a list of values.
    if (typeof $ref === 'string' && type === undefined) {
      return { ...this.#reference($ref), ...pick(schema, annotations) };
    }
    const shape: JsonObject = { ...pick(schema, annotations), ...pick(schema, assertions) };
    if (isObject(schema['properties'])) shape['properties'] = this.#properties(schema['properties'], isAlternative);
    const required = requiredOf(schema, isAlternative);
    if (required.length > 0) shape['required'] = required;
    for (const [word, nested] of Object.entries(schema)) {
      if (single.has(word) && isObject(nested)) shape[word] = this.#written(nested, isAlternative);
      if (several.has(word) && Array.isArray(nested) && nested.length > 0) {
        shape[word] = nested.map((each) => this.#written(each, isAlternative || word !== 'allOf'));
      }
    }
    return shape;
  }

  #properties(properties: Written, isAlternative: boolean): JsonObject {
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name, property]) => isFilledIn(name, property, isAlternative))
        // A condition forbids a field with `false`.
        .map(([name, property]) => [name, property === false ? false : this.#written(property, isAlternative)]),
    );
  }
}

const isFilledIn = (name: string, property: unknown, isAlternative: boolean): boolean =>
  (isAlternative || !ofServer.has(name)) && !(isObject(property) && property['readOnly'] === true);

function requiredOf({ required, properties }: Written, isAlternative: boolean): string[] {
  if (!Array.isArray(required)) return [];
  const declared = isObject(properties) ? properties : {};
  const names = required.filter(
    (name) => typeof name === 'string' && isFilledIn(name, declared[name], isAlternative),
  ) as string[];
  return [...new Set(names)];
}

const single: ReadonlySet<string> = new Set(['items', 'contains', 'not', 'if', 'then', 'else']);
const several: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf']);

type Test = (value: unknown) => boolean;
const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isList: Test = (value) => Array.isArray(value) && value.length > 0;
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const annotations: Readonly<Record<string, Test>> = {
  title: isText,
  description: isText,
  examples: Array.isArray,
  default: (value) => value !== undefined,
};

const assertions: Readonly<Record<string, Test>> = {
  type: (value) =>
    types.includes(value) || (Array.isArray(value) && value.length > 0 && value.every((each) => types.includes(each))),
  format: isText,
  pattern: isPattern,
  enum: isList,
  const: (value) => value !== undefined,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
};

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const pick = (schema: Written, words: Readonly<Record<string, Test>>): JsonObject =>
  Object.fromEntries(
    Object.entries(words).flatMap(([word, isFit]) => (isFit(schema[word]) ? [[word, schema[word] as Json]] : [])),
  );

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Nested schemas by IRI. */
function definitionsIn(document: JsonObject | null): [string, Written][] {
  const definitions = document?.['$defs'];
  if (!isObject(definitions)) return [];
  return Object.entries(definitions).flatMap(([key, definition]) =>
    isObject(definition) ? [[textOf(definition['$id']) ?? key, definition] as [string, Written]] : [],
  );
}

/** Schema names that are valid in documents and programs. */

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Monitoring report (2024)` becomes `MonitoringReport2024`; duplicates are numbered. */
function schemaNames(titles: ReadonlyMap<string, string>): Map<string, string> {
  const used = new Set<string>();
  return new Map(
    [...titles].map(([iri, title]) => {
      const words = (title.match(/[A-Za-z0-9]+/g) ?? []).map(capital).join('');
      const base = /^[A-Za-z]/.test(words) ? words : `Document${words}`;
      let name = base;
      for (let number = 2; used.has(name); number += 1) name = `${base}_${String(number)}`;
      used.add(name);
      return [iri, name];
    }),
  );
}
