/** A schema as its author thinks of it, from the JSON Schema document and back. */
import { writtenMembers } from '../records/written-members.js';
import { isUnchanged, readField, writeField, type SchemaField } from './field.js';
import { commentOf, isObject, objectIn, sameJson, textsIn, without, type Json } from './json.js';
import { readRule, writeRule, type SchemaRule } from './rule.js';

export interface SchemaModel {
  readonly iri: string;
  readonly name: string;
  readonly description: string;
  /** In the order of the form. */
  readonly fields: readonly SchemaField[];
  readonly rules: readonly SchemaRule[];
  /** The document that it was read from, with what has no member here. */
  readonly source: Json;
}

const firstMembers: readonly string[] = ['@context', 'type', 'id'];

/** Names that no field can have. */
export const refusedKeys: readonly string[] = [...writtenMembers, '__proto__', 'constructor', 'prototype'];

const isOwn = (key: string, property: unknown): property is Json =>
  isObject(property) && property['readOnly'] !== true && !writtenMembers.includes(key);

export function readSchema(document: Json): SchemaModel {
  const properties = objectIn(document['properties']);
  const entries = Array.isArray(document['allOf']) ? (document['allOf'] as unknown[]) : [];
  const rules = entries.map((entry) => readRule(entry, properties));
  const required = new Set([...textsIn(document['required']), ...rules.flatMap(demandedBy)]);
  const fields = Object.entries(properties).flatMap(([key, property]) =>
    isOwn(key, property) ? [readField(key, property, required.has(key))] : [],
  );
  return {
    iri: textOr(document['$id'], ''),
    name: textOr(document['title'], ''),
    description: textOr(document['description'], ''),
    fields: inOrder(fields),
    rules,
    source: document,
  };
}

const demandedBy = (rule: SchemaRule): string[] =>
  rule.kind === 'kept'
    ? []
    : [...rule.then, ...rule.otherwise].flatMap(({ key, isRequired }) => (isRequired ? [key] : []));

/** As forms sort: those without a position first. */
function inOrder(fields: readonly SchemaField[]): SchemaField[] {
  const position = ({ source }: SchemaField): number => {
    const written = commentOf(source ?? {})['orderPosition'];
    return typeof written === 'number' && written > 0 ? written : -1;
  };
  return [...fields].sort((a, b) => position(a) - position(b));
}

/** The document of the model: of an unchanged one, the same that it was read from. */
export function writeSchema(model: SchemaModel): Json {
  const { source, iri, name, description, fields } = model;
  const before = readSchema(source);
  if (isSame(model, before)) return source;
  const old = objectIn(source['properties']);
  const keys = (of: readonly SchemaField[]): string[] => of.map(({ key }) => key);
  const keepsOrder = sameJson(keys(fields), keys(before.fields));
  const positions = new Map(fields.map(({ key }, index) => [key, keepsOrder ? undefined : index]));
  const write = (field: SchemaField): Json => writeField(field, positions.get(field.key));
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const written = fields.map((field) => [field.key, write(field)] as const);
  const rules = model.rules.map((rule) => writeRule(rule, byKey, write, old)).filter(hasEffect);
  const others = without(source, ['$id', '$comment', 'title', 'description', 'properties', 'required', 'allOf']);
  return {
    $id: iri,
    $comment: source['$comment'] ?? JSON.stringify({ '@id': iri, term: iri.slice(1) }),
    title: name,
    description,
    ...{ type: 'object', ...others },
    properties: propertiesOf(old, written, keepsOrder),
    required: requiredOf(before, model),
    ...(others['additionalProperties'] === undefined && { additionalProperties: false }),
    ...(rules.length > 0 && { allOf: rules }),
  };
}

function isSame(model: SchemaModel, before: SchemaModel): boolean {
  const about = ({ iri, name, description, rules }: SchemaModel): unknown => [iri, name, description, rules];
  const facts = (of: readonly SchemaField[]): unknown => of.map(({ key, isRequired }) => [key, isRequired]);
  return (
    sameJson(about(model), about(before)) &&
    sameJson(facts(model.fields), facts(before.fields)) &&
    model.fields.every((field, at) => isUnchanged(field) && sameJson(field.source, before.fields[at]?.source))
  );
}

/** A condition that asks for nothing any more. */
function hasEffect(rule: unknown): boolean {
  const { then, else: otherwise } = objectIn(rule);
  const asksNothing = (branch: unknown): boolean =>
    sameJson(branch, { properties: {} }) || branch === undefined || branch === false;
  return !isObject(rule) || rule['if'] === undefined || !asksNothing(then) || !asksNothing(otherwise);
}

/** The members that the engine writes stay before and behind the fields. */
function propertiesOf(old: Json, written: readonly (readonly [string, Json])[], keepsOrder: boolean): Json {
  const fields = new Map(written);
  const entries = Object.entries(old);
  if (keepsOrder) return Object.fromEntries(entries.map(([key, property]) => [key, fields.get(key) ?? property]));
  const firstField = entries.findIndex(([key, property]) => isOwn(key, property));
  const rest = entries.filter(([key, property]) => !isOwn(key, property));
  const behind = rest.filter(([key]) =>
    firstField === -1 ? !firstMembers.includes(key) : entries.findIndex(([name]) => name === key) > firstField,
  );
  return Object.fromEntries([...rest.filter((each) => !behind.includes(each)), ...written, ...behind]);
}

/** What a condition asks for is required by the condition, unless the document required it beside its condition before. */
function requiredOf({ source, rules: rulesBefore }: SchemaModel, { fields, rules }: SchemaModel): string[] {
  const before = textsIn(source['required']);
  const wasConditional = conditionalIn(rulesBefore);
  const conditional = conditionalIn(rules);
  const properties = objectIn(source['properties']);
  const isDemanded = (key: string): boolean =>
    !conditional.has(key) || (wasConditional.has(key) && before.includes(key));
  const own = fields.filter(({ key, isRequired }) => isRequired && isDemanded(key));
  const ofEngine = before.filter((key) => !isOwn(key, properties[key]));
  const wanted = new Set([...ofEngine, ...own.map(({ key }) => key)]);
  return [...before.filter((key) => wanted.has(key)), ...[...wanted].filter((key) => !before.includes(key))];
}

const conditionalIn = (rules: readonly SchemaRule[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap((rule) => (rule.kind === 'kept' ? [] : [...rule.then, ...rule.otherwise].map(({ key }) => key))),
  );

/** The document of a schema without fields. */
export function emptyDocument(iri: string, name: string, description: string, entity: string): Json {
  const text = { readOnly: true, type: 'string' };
  const texts = { readOnly: true, oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  const isNested = entity === 'NONE';
  return {
    $id: iri,
    $comment: JSON.stringify({ '@id': iri, term: iri.slice(1) }),
    title: name,
    description,
    type: 'object',
    properties: {
      ...{ '@context': texts, type: texts, id: text },
      ...(!isNested && { policyId: text, ref: text, guardianVersion: text }),
    },
    required: ['@context', 'type', ...(isNested ? [] : ['policyId'])],
    additionalProperties: false,
  };
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
