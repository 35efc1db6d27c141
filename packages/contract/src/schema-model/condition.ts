/** The tests of conditions: comparisons of answers with constants, from the keywords of `if` and back. */
import { isObject, objectIn, without, type Json } from './json.js';

export type Constant = string | number | boolean;

export interface Comparison {
  readonly kind: 'is';
  /** The keys from the schema down to the field: more than one within a nested schema. */
  readonly path: readonly string[];
  readonly value: Constant;
  /** Of a list: whether each entry is compared, at least one, or any. */
  readonly of?: 'each' | 'any';
  /** Whether it holds where the field is not answered, as in older schemas. */
  readonly orUnanswered?: true;
}

export type Condition =
  | Comparison
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition };

/** A comparison of one field of the schema itself. */
export const comparison = (key: string, value: Constant): Comparison => ({ kind: 'is', path: [key], value });

/** As the members of `if`. */
export function keywordsOf(condition: Condition): Json {
  switch (condition.kind) {
    case 'is':
      return comparedAt(condition.path, condition);
    case 'all':
      return { allOf: condition.of.map(keywordsOf) };
    case 'any':
      return { anyOf: condition.of.map(keywordsOf) };
    case 'not':
      return { not: keywordsOf(condition.of) };
  }
}

function comparedAt([key = '', ...below]: readonly string[], condition: Comparison): Json {
  const inner = below.length === 0 ? valueOf(condition) : comparedAt(below, condition);
  return { properties: { [key]: inner }, ...(condition.orUnanswered === undefined && { required: [key] }) };
}

function valueOf({ value, of }: Comparison): Json {
  if (of === 'each') return { items: { const: value }, minItems: 1 };
  return of === 'any' ? { contains: { const: value } } : { const: value };
}

/** `undefined` for what is no such test. Written again, it means the same. */
export function readKeywords(schema: unknown): Condition | undefined {
  if (!isObject(schema)) return undefined;
  const words = without(schema, ['properties', 'required']);
  const [word, ...others] = Object.keys(words);
  if (word === undefined) return joined(comparisonsIn(schema));
  if (schema['properties'] !== undefined || schema['required'] !== undefined || others.length > 0) return undefined;
  if (word === 'not') {
    const of = readKeywords(words['not']);
    return of && { kind: 'not', of };
  }
  const list: unknown = words[word];
  if ((word !== 'allOf' && word !== 'anyOf') || !Array.isArray(list) || list.length === 0) return undefined;
  const parts = list.map(readKeywords).filter((each) => each !== undefined);
  return parts.length < list.length ? undefined : { kind: word === 'allOf' ? 'all' : 'any', of: parts };
}

const joined = (comparisons: readonly Comparison[] | undefined): Condition | undefined =>
  comparisons === undefined || comparisons.length <= 1 ? comparisons?.[0] : { kind: 'all', of: comparisons };

/** Several properties are a conjunction. */
function comparisonsIn(test: Json): Comparison[] | undefined {
  const properties = objectIn(test['properties']);
  const required: unknown = test['required'] ?? [];
  if (!Array.isArray(required) || required.some((key) => !Object.hasOwn(properties, String(key)))) return undefined;
  const read = Object.entries(properties).map(([key, value]) => comparisonsAt(key, value, required.includes(key)));
  if (read.length === 0 || read.includes(undefined)) return undefined;
  return read.flatMap((each) => each ?? []);
}

function comparisonsAt(key: string, value: unknown, isRequired: boolean): Comparison[] | undefined {
  if (!isObject(value)) return undefined;
  const optional = isRequired ? {} : ({ orUnanswered: true } as const);
  if (value['properties'] !== undefined) {
    if (Object.keys(without(value, ['properties', 'required'])).length > 0) return undefined;
    // What holds without an answer must do so at every level, as it is written.
    const below = comparisonsIn(value);
    if (below?.every((each) => (each.orUnanswered === undefined) === isRequired) !== true) return undefined;
    return below.map((each) => ({ ...each, path: [key, ...each.path] }));
  }
  const { const: own, items, contains, minItems } = value;
  const count = Object.keys(value).length;
  const comparisons = (of: unknown, facts: Pick<Comparison, 'of'>): Comparison[] | undefined =>
    isConstant(of) ? [{ kind: 'is', path: [key], value: of, ...facts, ...optional }] : undefined;
  if (own !== undefined && count === 1) return comparisons(own, {});
  if (isConst(items) && minItems === 1 && count === 2) return comparisons(items['const'], { of: 'each' });
  return isConst(contains) && count === 1 ? comparisons(contains['const'], { of: 'any' }) : undefined;
}

const isConst = (value: unknown): value is Json =>
  isObject(value) && value['const'] !== undefined && Object.keys(value).length === 1;

const isConstant = (value: unknown): value is Constant => ['string', 'number', 'boolean'].includes(typeof value);

/** With each comparison changed. */
export function mapComparisons(condition: Condition, change: (each: Comparison) => Comparison): Condition {
  if (condition.kind === 'is') return change(condition);
  if (condition.kind === 'not') return { kind: 'not', of: mapComparisons(condition.of, change) };
  return { kind: condition.kind, of: condition.of.map((each) => mapComparisons(each, change)) };
}
