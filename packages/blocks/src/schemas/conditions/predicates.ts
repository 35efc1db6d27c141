/** The tests of conditions as comparisons of fields with constants, and in words. */
import { isObject, type Json } from '@blockwork/core/block';
import { propertiesOf } from '../schema-fields.js';
import { listOf, type Schema } from './conditional.js';

export interface Predicate {
  /** The names of the fields from the object of the condition down to the one that is compared. */
  readonly path: readonly string[];
  readonly constant: Json;
  /** `each`: every entry of a list, at least one. */
  readonly comparator: 'equals' | 'each' | 'contains';
}

export interface Comparisons {
  readonly operator: 'AND' | 'OR';
  readonly predicates: readonly Predicate[];
}

/** `undefined` for a test of any other form, which is enforced all the same. */
export function comparisonsIn(test: Schema): Comparisons | undefined {
  for (const [word, operator] of [
    ['allOf', 'AND'],
    ['anyOf', 'OR'],
  ] as const) {
    const parts = listOf(test[word]);
    if (parts.length === 0) continue;
    if (Object.keys(test).length > 1) return undefined;
    const read = parts.map((part) => (isObject(part) ? predicatesIn(part) : undefined));
    if (!read.every((each) => each !== undefined && (operator === 'AND' || each.length === 1))) return undefined;
    return { operator, predicates: read.flatMap((each) => each ?? []) };
  }
  const predicates = predicatesIn(test);
  return predicates && { operator: 'AND', predicates };
}

/** Several properties are a conjunction. */
function predicatesIn(test: Schema): Predicate[] | undefined {
  if (!hasOnly(test, ['properties', 'required', 'type'])) return undefined;
  const read = Object.entries(propertiesOf(test)).map(([name, value]) => predicatesAt(name, value));
  if (read.length === 0 || read.includes(undefined)) return undefined;
  return read.flatMap((each) => each ?? []);
}

function predicatesAt(name: string, value: unknown): Predicate[] | undefined {
  if (!isObject(value)) return undefined;
  const comparator = comparatorOf(value);
  if (comparator === undefined) {
    return predicatesIn(value)?.map((each) => ({ ...each, path: [name, ...each.path] }));
  }
  const { items, contains, const: own } = value;
  const within = comparator === 'each' ? items : comparator === 'contains' ? contains : { const: own };
  return [{ path: [name], constant: (within as { const: Json }).const, comparator }];
}

function comparatorOf(value: Schema): Predicate['comparator'] | undefined {
  if (value.const !== undefined && hasOnly(value, ['const', 'type'])) return 'equals';
  if (isConstant(value.items) && hasOnly(value, ['items', 'minItems', 'type'])) return 'each';
  if (isConstant(value.contains) && hasOnly(value, ['contains', 'type'])) return 'contains';
  return undefined;
}

const isConstant = (value: unknown): boolean =>
  isObject(value) && value.const !== undefined && hasOnly(value, ['const', 'type']);

const hasOnly = (schema: Schema, words: readonly string[]): boolean =>
  Object.keys(schema).every((word) => words.includes(word));

/** Of a constant, in words. */
const SHOWN_CHARACTERS = 100;
/** Of a test with many comparisons, in words. */
const SHOWN_PREDICATES = 10;

/** For people, such as `q is "yes" and s.k is "go"`. */
export function inWords(test: Schema): string {
  const read = comparisonsIn(test);
  if (read === undefined) return 'its condition holds';
  const shown = read.predicates.slice(0, SHOWN_PREDICATES).map(predicateInWords);
  if (shown.length < read.predicates.length) shown.push('…');
  return shown.join(read.operator === 'AND' ? ' and ' : ' or ');
}

function predicateInWords({ path, constant, comparator }: Predicate): string {
  const field = path.join('.');
  const written = JSON.stringify(constant);
  const value = written.length > SHOWN_CHARACTERS ? `${written.slice(0, SHOWN_CHARACTERS)}…` : written;
  if (comparator === 'contains') return `${field} contains ${value}`;
  return comparator === 'each' ? `every entry of ${field} is ${value}` : `${field} is ${value}`;
}
