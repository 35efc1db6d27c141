/** A field of a schema: what its author says about it, from a property of the document and back. */
import { fieldTypes, typeOfCore, type FieldType } from './field-types.js';
import { commentOf, isObject, objectIn, sameJson, without, type Json } from './json.js';

/** Bounds of values and, for lists, of how many there are. */
export const valueBounds = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
] as const;
export const listBounds = ['minItems', 'maxItems'] as const;

export type Bound = (typeof valueBounds)[number] | (typeof listBounds)[number];

export interface SchemaField {
  readonly key: string;
  /** What lists show. */
  readonly title: string;
  /** What forms show. */
  readonly question: string;
  readonly type: FieldType;
  readonly isList: boolean;
  /** Of a field that a condition asks for: whether it is required where it is asked for. */
  readonly isRequired: boolean;
  readonly unit?: string;
  /** Where the unit stands beside the value. */
  readonly unitSystem?: 'prefix' | 'postfix';
  /** Of an `Enum`. */
  readonly choices?: readonly unknown[];
  /** A regular expression, which may match anywhere. */
  readonly pattern?: string;
  /** The IRI of the schema that a `Reference` nests. */
  readonly reference?: string;
  readonly bounds: Readonly<Partial<Record<Bound, number>>>;
  readonly isHidden: boolean;
  /** The engine calculates it from the expression. */
  readonly isCalculated: boolean;
  readonly expression?: string;
  readonly isPrivate: boolean;
  readonly isUpdatable: boolean;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly suggestion?: unknown;
  /** Keywords and facts that have no member here; they are written as they were. */
  readonly kept: { readonly outer: Json; readonly core: Json; readonly comment: Json };
  /** What it was read from, which is written again if nothing was changed. */
  readonly source?: Json;
}

/** What the comment of a property calls its values, unless they are of a schema. */
const TEXT = 'https://www.schema.org/text';

const outerFacts = ['title', 'description', '$comment', 'examples', 'default', ...listBounds];
const commentFacts = [
  ...['term', 'unit', 'unitSystem', 'hidden', 'autocalculate', 'expression', 'isPrivate', 'isUpdatable', 'suggest'],
  ...['orderPosition', 'conditionRequired'],
];

export function readField(key: string, property: Json, isRequired: boolean): SchemaField {
  const isList = property['type'] === 'array' && isObject(property['items']);
  const core = isList ? objectIn(property['items']) : without(property, outerFacts);
  const comment = commentOf(property);
  const type = typeOfCore(core, comment);
  const { schema, comment: typed = {} } = fieldTypes[type];
  const ownPattern =
    schema['pattern'] === undefined && typeof core['pattern'] === 'string' ? core['pattern'] : undefined;
  const { unit, unitSystem, expression } = comment;
  const choices: unknown = type === 'Enum' ? core['enum'] : undefined;
  const reference = type === 'Reference' ? core['$ref'] : undefined;
  const takenWords = [
    ...Object.keys(schema).filter((word) => core[word] === schema[word]),
    ...numbersIn(core, valueBounds).map(([word]) => word),
    ...(ownPattern === undefined ? [] : ['pattern']),
    ...(Array.isArray(choices) ? ['enum'] : []),
    ...(reference === undefined ? [] : ['$ref']),
  ];
  const factsTaken = [
    ...commentFacts.filter((fact) => fact in comment),
    ...Object.keys(typed).filter((fact) => comment[fact] === typed[fact]),
    ...(comment['@id'] === TEXT ? ['@id'] : []),
  ];
  const isSystem = unitSystem === 'prefix' || unitSystem === 'postfix';
  const numbers = [...numbersIn(core, valueBounds), ...(isList ? numbersIn(property, listBounds) : [])];
  return {
    key,
    title: textOr(property['title'], key),
    question: textOr(property['description'], textOr(property['title'], key)),
    type,
    isList,
    isRequired,
    ...(typeof unit === 'string' && { unit }),
    ...(isSystem && { unitSystem }),
    ...(Array.isArray(choices) && { choices: choices as readonly unknown[] }),
    ...(ownPattern !== undefined && { pattern: ownPattern }),
    ...(typeof reference === 'string' && { reference }),
    bounds: Object.fromEntries(numbers),
    isHidden: comment['hidden'] === true,
    isCalculated: comment['autocalculate'] === true,
    ...(typeof expression === 'string' && { expression }),
    isPrivate: comment['isPrivate'] === true,
    isUpdatable: comment['isUpdatable'] === true,
    ...(Array.isArray(property['examples']) && { examples: property['examples'] as readonly unknown[] }),
    ...(property['default'] !== undefined && { default: property['default'] }),
    ...(comment['suggest'] !== undefined && { suggestion: comment['suggest'] }),
    kept: {
      outer: isList ? without(property, [...outerFacts, 'type', 'items']) : {},
      core: without(core, takenWords),
      comment: without(comment, factsTaken),
    },
    source: property,
  };
}

/** As a property of the document; `position` is its place in the form, if that is to be written. */
export function writeField(field: SchemaField, position?: number): Json {
  const { source } = field;
  if (source !== undefined && isUnchanged(field)) {
    const comment = commentOf(source);
    if (position === undefined || comment['orderPosition'] === position) return source;
    return { ...source, $comment: JSON.stringify({ ...comment, orderPosition: position }) };
  }
  return valueSchema(field, position ?? (source && (commentOf(source)['orderPosition'] as number | undefined)));
}

/** Whether it says the same as what it was read from. */
export function isUnchanged(field: SchemaField): boolean {
  const { source, isRequired, ...facts } = field;
  if (source === undefined) return false;
  const { source: _, isRequired: _required, ...before } = readField(field.key, source, isRequired);
  const { term } = commentOf(source);
  return sameJson(facts, before) && (term === undefined || term === field.key);
}

function valueSchema(field: SchemaField, position: number | undefined): Json {
  const { type, kept: original, isList, bounds, examples } = field;
  const { schema, comment: typed } = fieldTypes[type];
  const numbers = (words: readonly Bound[]): Json =>
    Object.fromEntries(words.flatMap((word) => (bounds[word] === undefined ? [] : [[word, bounds[word]] as const])));
  const core = {
    ...schema,
    ...(field.choices !== undefined && { enum: field.choices }),
    ...(field.pattern !== undefined && { pattern: field.pattern }),
    ...(field.reference !== undefined && { $ref: field.reference }),
    ...numbers(valueBounds),
    ...original.core,
  };
  const facts = {
    term: field.key,
    '@id': TEXT,
    ...typed,
    ...(field.unit !== undefined && { unit: field.unit }),
    ...(field.unitSystem !== undefined && { unitSystem: field.unitSystem }),
    ...(field.isHidden && { hidden: true }),
    ...(field.isCalculated && { autocalculate: true }),
    ...(field.expression !== undefined && { expression: field.expression }),
    ...(field.isPrivate && { isPrivate: true }),
    ...(field.isUpdatable && { isUpdatable: true }),
    ...(field.suggestion !== undefined && { suggest: field.suggestion }),
    ...original.comment,
    ...(position !== undefined && { orderPosition: position }),
  };
  return {
    title: field.title,
    description: field.question,
    ...(isList ? { type: 'array', items: core, ...original.outer, ...numbers(listBounds) } : core),
    $comment: JSON.stringify(facts),
    ...(examples !== undefined && { examples }),
    ...(field.default !== undefined && { default: field.default }),
  };
}

/** A field of another type: what only the old one could say is gone. */
export function withType(field: SchemaField, type: FieldType): SchemaField {
  const { choices: _c, pattern: _p, reference: _r, examples: _e, default: _d, suggestion: _s, ...rest } = field;
  const isNumber = fieldTypes[type].schema['type'] === 'number' || fieldTypes[type].schema['type'] === 'integer';
  const { unit: _u, unitSystem: _us, ...unitless } = rest;
  const words = [
    'customType',
    'enumName',
    'availableOptions',
    'tableColumns',
    'dependency',
    'textColor',
    'textSize',
    'textBold',
  ];
  return {
    ...(isNumber ? rest : unitless),
    type,
    bounds: Object.fromEntries(numbersIn(field.bounds, listBounds)),
    ...(type === 'Enum' && { choices: [] }),
    kept: { ...field.kept, core: {}, comment: without(field.kept.comment, [...words, '@id']) },
  };
}

/** An empty field of an author, to be written. */
export const newField = (key: string, question: string, type: FieldType = 'String'): SchemaField => ({
  key,
  title: question,
  question,
  type,
  isList: false,
  isRequired: false,
  bounds: {},
  isHidden: false,
  isCalculated: false,
  isPrivate: false,
  isUpdatable: false,
  ...(type === 'Enum' && { choices: [] }),
  kept: { outer: {}, core: {}, comment: {} },
});

const numbersIn = (object: Json, words: readonly Bound[]): [Bound, number][] =>
  words.flatMap((word): [Bound, number][] => {
    const value = object[word];
    return typeof value === 'number' ? [[word, value]] : [];
  });

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
