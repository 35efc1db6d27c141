/** The JSON Schemas of a policy: their fields, and types in them that JSON Schema does not define. */
import { hintAt, meantBy } from '../options/index.js';
import { pointerOf, suggestedRemoval, suggestedValue, type Suggestion } from '../policy/index.js';
import { isObject, type JsonObject } from '../records/index.js';
import { doubtsIn, type Remedy } from './schema-doubts.js';

const jsonTypes: readonly string[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const one = ['items', 'additionalItems', 'additionalProperties', 'contains', 'if', 'then', 'else', 'not'];
const many = ['items', 'allOf', 'anyOf', 'oneOf'];
const byName = ['properties', 'patternProperties', '$defs', 'definitions'];

/** A schema nested in another. */
interface Subschema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its location in `parent`; absent for the whole document. */
  readonly place?: { readonly parent: Subschema; readonly keys: readonly PropertyKey[] };
}

export interface SchemaProblem {
  /** A clause that begins with its place. */
  readonly text: string;
  /** What would mend it; `at` is within the schema. */
  readonly suggestions: readonly Suggestion[];
}

/** What the rest of a policy depends on. */
export interface SchemaContent {
  /** The names of all properties, at any depth. */
  readonly fields: ReadonlySet<string>;
  /** Types that do not exist, patterns that cannot be matched, and keys that cannot be used. */
  readonly faults: readonly SchemaProblem[];
  /** Parts that work here, but not as they seem or not in the reference. */
  readonly remarks: readonly SchemaProblem[];
}

/** In one pass: schemas may be megabytes. */
export function contentOf(document: JsonObject): SchemaContent {
  const fields = new Set<string>();
  const faults: SchemaProblem[] = [];
  const remarks: SchemaProblem[] = [];
  for (const content of subschemas(document)) {
    const { properties, type, pattern } = content.schema;
    if (typeof pattern === 'string') faults.push(...patternFaults(content, pattern));
    if (isObject(properties)) {
      for (const name of Object.keys(properties)) {
        fields.add(name);
        faults.push(...keyFaults(content, name));
      }
    }
    remarks.push(...doubtsAt(content));
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    types.forEach((each, index) => {
      const steps = Array.isArray(type) ? [index] : [];
      if (each !== undefined && !isJsonType(each)) faults.push(typeFault(content, each, steps));
    });
  }
  return { fields, faults, remarks };
}

const isJsonType = (type: unknown): boolean => typeof type === 'string' && jsonTypes.includes(type);

function keyFaults(subschema: Subschema, name: string): SchemaProblem[] {
  const reason = unusableKeys.find(([construct]) => construct.test(name))?.[1];
  return reason === undefined ? [] : [problem(subschema, ['properties', name], reason)];
}

const unusableKeys: readonly (readonly [RegExp, string])[] = [
  [/\s/, 'has white space in its key: use letters, digits and _, and write the title with spaces'],
  [/[.:]/, 'has a "." or ":" in its key, which separate the steps of paths: use letters, digits and _'],
  [/^(?:__proto__|constructor|prototype)$/, 'has a key with a meaning in JavaScript: use another one'],
];

const doubtsAt = (subschema: Subschema): SchemaProblem[] =>
  doubtsIn(subschema.schema, subschema.place?.keys[0]).map(([keys, clause, remedy]) =>
    problem(subschema, keys, clause, remedy),
  );

function problem(subschema: Subschema, keys: readonly PropertyKey[], clause: string, remedy?: Remedy): SchemaProblem {
  const path = pathOf(subschema);
  return {
    text: `${pointerOf([...path, ...keys])} ${clause}`,
    suggestions: remedy === undefined ? [] : [suggestionOf(pointerOf([...path, ...remedy.keys]), remedy)],
  };
}

const suggestionOf = (at: string, { value }: Remedy): Suggestion =>
  value === undefined ? suggestedRemoval(at) : suggestedValue(at, value);

/** What patterns may not have, since they are matched in linear time, and what to write instead. */
const backtracking: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'looks ahead or behind, which is not supported: write out what the text is'],
  [/\\(?:[1-9]|k<)/, 'refers back to a group, which is not supported: write out what the text is'],
  [/\{(?:\d{5,}|[2-9]\d{3}|1(?!000\b)\d{3})/, 'repeats more than 1,000 times: use minLength and maxLength'],
];

function patternFaults(subschema: Subschema, pattern: string): SchemaProblem[] {
  const reason = isExpression(pattern)
    ? backtracking.find(([construct]) => construct.test(plain(pattern)))?.[1]
    : 'is no regular expression: escape what is meant literally, as in \\(';
  return reason === undefined ? [] : [problem(subschema, ['pattern'], `${JSON.stringify(pattern)} ${reason}`)];
}

/** Without escaped backslashes and parentheses, and without the contents of classes. */
const plain = (pattern: string): string =>
  pattern.replace(/\\(?:[\\()[\]{}]|u\{[^}]*\})/g, '').replace(/\[(?:\\.|[^\]\\])*\]/g, '[]');

function isExpression(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

function typeFault(subschema: Subschema, type: unknown, steps: readonly PropertyKey[]): SchemaProblem {
  const meant = typeof type === 'string' ? meantBy(type, jsonTypes) : undefined;
  const clause = `is ${JSON.stringify(type)}, which is none of ${jsonTypes.join(', ')}${hintAt(meant)}`;
  const remedy = meant === undefined ? undefined : { keys: ['type', ...steps], value: meant };
  return problem(subschema, ['type'], clause, remedy);
}

/** Computed only for faults: most documents have none. */
function pathOf({ place }: Subschema): PropertyKey[] {
  const path: PropertyKey[][] = [];
  for (let at = place; at !== undefined; at = at.parent.place) path.push([...at.keys]);
  return path.reverse().flat();
}

/** Without recursion: how deep a document nests is limited when it is read, but not for schemas given as JSON. */
function* subschemas(document: JsonObject): Iterable<Subschema> {
  const open: Subschema[] = [{ schema: document }];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    yield parent;
    const { schema } = parent;
    for (const word of one)
      if (isObject(schema[word])) open.push({ schema: schema[word], place: { parent, keys: [word] } });
    for (const word of many) if (Array.isArray(schema[word])) openEach(open, parent, word, schema[word]);
    for (const word of byName) if (isObject(schema[word])) openEach(open, parent, word, schema[word]);
  }
}

function openEach(open: Subschema[], parent: Subschema, word: string, schemasBelow: object): void {
  for (const [key, schema] of Object.entries(schemasBelow)) {
    if (isObject(schema)) open.push({ schema, place: { parent, keys: [word, key] } });
  }
}
