/** The JSON Schema document of a sheet. */
import {
  commentOf,
  isObject,
  keywordsOf,
  writtenMembers,
  type Condition,
  type Json,
} from '@blockwork/contract/schema-model';
import type { CellValue } from '../workbook/workbook.js';
import { plainTypes, SUB_SCHEMA } from './field-types.js';
import type { Field, SheetSchema } from './read-sheet.js';
import type { PolicySchema, SheetFinding, SheetFindingCode, Title } from './schema.js';

export interface Choices {
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly listsBefore: ReadonlyMap<string, readonly string[]>;
  /** By the names of schemas and of their sheets. */
  readonly iris: ReadonlyMap<string, string>;
  /** Of the schemas whose rows are grouped on the sheet, by their names. */
  readonly nested: ReadonlyMap<string, string>;
}

export interface Before {
  readonly original: PolicySchema;
  /** What its sheet said when it was exported. */
  readonly fields: SheetSchema;
}

/** The original document itself if no row says anything new. */
export function rebuiltDocument(
  iri: string,
  written: SheetSchema,
  before: Before | undefined,
  choices: Choices,
  sheet: string,
  findings: SheetFinding[],
): Json {
  const old = before?.original.document ?? {};
  const oldProperties = isObject(old['properties']) ? old['properties'] : {};
  const fieldsBefore = new Map(before?.fields.fields.map((field) => [field.key, field]));
  const isSame = (field: Field): boolean => {
    const earlier = fieldsBefore.get(field.key);
    const { lists, listsBefore } = choices;
    const list = field.type === 'Enum' ? [lists.get(field.parameter), listsBefore.get(field.parameter)] : [];
    return JSON.stringify(earlier) === JSON.stringify(field) && JSON.stringify(list[0]) === JSON.stringify(list[1]);
  };
  const order = (fields: readonly Field[] = []): string => JSON.stringify(fields.map(({ key }) => key));
  const sameOrder = order(written.fields) === order(before?.fields.fields);
  if (before !== undefined && sameOrder && written.fields.every(isSame)) return old;

  const properties = written.fields.map((field, index) => {
    const report = (code: SheetFindingCode, title: Title, message: string): void => {
      const cell = `${written.columns.get(title) ?? 'A'}${String(written.places.get(field.key) ?? 1)}`;
      findings.push({ severity: 'error', code, sheet, cell, message });
    };
    const oldProperty = isSame(field) ? oldProperties[field.key] : undefined;
    const property = isObject(oldProperty) ? oldProperty : propertyOf(field, oldProperties[field.key], choices, report);
    return [field.key, ordered(property, index, sameOrder)] as const;
  });
  const conditional = written.fields.some(({ visibility }) => visibility.kind === 'if');
  const shown = (fields: readonly Field[] = []): string =>
    JSON.stringify(fields.flatMap(({ key, visibility }) => (visibility.kind === 'if' ? [[key, visibility]] : [])));
  const sameConditions = before !== undefined && sameOrder && shown(written.fields) === shown(before.fields.fields);
  const { allOf, ...others } = old;
  const rules = sameConditions ? allOf : conditional ? conditionsOf(written.fields, new Map(properties)) : undefined;
  return {
    ...(before === undefined && { $id: iri, $comment: JSON.stringify({ '@id': iri, term: iri.slice(1) }) }),
    ...others,
    title: written.name,
    description: written.description,
    type: 'object',
    properties: { ...writtenProperties(oldProperties, written.entity), ...Object.fromEntries(properties) },
    required: requiredOf(old, written),
    additionalProperties: false,
    ...(rules !== undefined && { allOf: rules }),
  };
}

function writtenProperties(old: Json, entity: string): Json {
  const members = Object.entries(old).filter(([key]) => writtenMembers.includes(key));
  if (members.length > 0) return Object.fromEntries(members);
  const text = { readOnly: true, type: 'string' };
  const texts = { readOnly: true, oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  const always = { '@context': texts, type: texts, id: text };
  return entity === 'NONE' ? always : { ...always, policyId: text, ref: text, guardianVersion: text };
}

function requiredOf(old: Json, { entity, fields }: SheetSchema): string[] {
  const before: unknown[] = Array.isArray(old['required']) ? old['required'] : ['@context', 'type'];
  const own = fields
    .filter(({ isRequired, visibility }) => isRequired && visibility.kind !== 'if')
    .map(({ key }) => key);
  const server = before.filter((key): key is string => typeof key === 'string' && writtenMembers.includes(key));
  const isNew = old['required'] === undefined && entity !== 'NONE';
  return [...server, ...own, ...(isNew ? ['policyId', 'guardianVersion'] : [])];
}

/** Rows that have moved get the order of the sheet. */
function ordered(property: Json, index: number, sameOrder: boolean): Json {
  const comment = commentOf(property);
  if (sameOrder || comment['orderPosition'] === index) return property;
  return { ...property, $comment: JSON.stringify({ ...comment, orderPosition: index }) };
}

type Report = (code: SheetFindingCode, title: Title, message: string) => void;

function propertyOf(field: Field, earlier: unknown, choices: Choices, report: Report): Json {
  const { schema, comment } = typed(field, choices, report);
  const old = isObject(earlier) ? earlier : {};
  const oldItems = isObject(old['items']) ? old['items'] : {};
  // Bounds and other keywords without a column stay while the type does.
  const core = old['type'] === 'array' ? oldItems : old;
  const sameType = core['type'] === schema['type'] && core['$ref'] === schema['$ref'];
  const {
    enum: _,
    format: _f,
    pattern: _p,
    items: _i,
    title,
    description: _d,
    $comment: _c,
    examples: _e,
    default: _x,
    type: _t,
    ...others
  } = core;
  const value = { ...(sameType && others), ...schema };
  const { visibility, isList } = field;
  const facts = {
    term: field.key,
    '@id': 'https://www.schema.org/text',
    ...comment,
    ...(visibility.kind === 'hidden' && { hidden: true }),
    ...(visibility.kind === 'calculated' && { autocalculate: true, expression: visibility.expression }),
    ...(field.suggest !== undefined && { suggest: field.suggest }),
  };
  return {
    title: typeof title === 'string' ? title : field.key,
    description: field.question,
    ...(isList ? { type: 'array', items: value } : value),
    $comment: JSON.stringify(facts),
    ...(field.answer !== undefined && { examples: [answerOf(field.answer, field)] }),
    ...(field.default !== undefined && { default: answerOf(field.default, field) }),
  };
}

/** Lists are JSON text, or values between commas. */
function answerOf(value: CellValue, { isList }: Field): unknown {
  if (!isList) return value;
  try {
    const list: unknown = JSON.parse(String(value));
    if (Array.isArray(list)) return list;
  } catch {
    // Not JSON: values between commas, in quotes where they have some themselves.
  }
  return [...String(value).matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]+))\s*(?:,|$)/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  );
}

function typed(field: Field, { lists, iris, nested }: Choices, report: Report): { schema: Json; comment?: Json } {
  const { type, parameter } = field;
  const plain = Object.hasOwn(plainTypes, type) ? plainTypes[type] : undefined;
  if (plain !== undefined) return plain;
  switch (type) {
    case 'Pattern':
      return { schema: { type: 'string', pattern: parameter } };
    case 'Prefix':
    case 'Postfix':
      return { schema: { type: 'number' }, comment: { unit: parameter, unitSystem: type.toLowerCase() } };
    case 'Help Text':
      return { schema: { type: 'null' }, comment: fontOf(parameter, report) };
    case 'Enum': {
      const values = lists.get(parameter);
      if (values === undefined) report('LIST_UNKNOWN', 'Parameter', `The sheet "Enums" has no list "${parameter}".`);
      return { schema: { type: 'string', enum: values ?? [] }, comment: { customType: 'enum', enumName: parameter } };
    }
    default: {
      const name = parameter === '' ? field.question : parameter;
      const named = type === SUB_SCHEMA ? (nested.get(name) ?? iris.get(name)) : iris.get(type);
      const iri = named ?? (type.startsWith('#') ? type : undefined);
      if (iri === undefined && type !== '')
        report(
          'TYPE_UNKNOWN',
          'Field Type',
          `"${type}" is no field type, and no schema of this workbook has that name.`,
        );
      return iri === undefined ? { schema: {} } : { schema: { $ref: iri } };
    }
  }
}

function fontOf(parameter: string, report: Report): Json {
  try {
    const font: unknown = parameter === '' ? {} : JSON.parse(parameter);
    const { color, size, bold } = isObject(font) ? font : {};
    return { textColor: color ?? '#000000', textSize: size ?? '18px', textBold: bold ?? false };
  } catch {
    report(
      'PARAMETER_INVALID',
      'Parameter',
      'The style of a help text is JSON: {"color":"#000000","size":"18px","bold":true}.',
    );
    return {};
  }
}

/** One rule for each test: its fields where it holds, and those of its opposite where it does not. */
function conditionsOf(fields: readonly Field[], properties: ReadonlyMap<string, Json>): Json[] {
  const rules = new Map<string, { test: Condition; then: Field[]; else: Field[] }>();
  for (const field of fields) {
    if (field.visibility.kind !== 'if') continue;
    const { condition } = field.visibility;
    const [test, branch] =
      condition.kind === 'not' ? ([condition.of, 'else'] as const) : ([condition, 'then'] as const);
    const name = JSON.stringify(test);
    const rule = rules.get(name) ?? { test, then: [], else: [] };
    rules.set(name, rule);
    rule[branch].push(field);
  }
  return [...rules.values()].map((rule) => {
    const branch = (shown: readonly Field[], absent: readonly Field[]): Json => ({
      properties: Object.fromEntries([
        ...shown.map(({ key, isRequired }) => [key, conditional(properties.get(key) ?? {}, isRequired)] as const),
        ...absent.map(({ key }) => [key, false] as const),
      ]),
    });
    return { if: keywordsOf(rule.test), then: branch(rule.then, rule.else), else: branch(rule.else, rule.then) };
  });
}

const conditional = (property: Json, isRequired: boolean): Json =>
  isRequired
    ? { ...property, $comment: JSON.stringify({ ...commentOf(property), conditionRequired: true }) }
    : property;
