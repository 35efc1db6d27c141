/** A condition of a schema: which fields are asked for where its test holds, and which where it does not. */
import { keywordsOf, readKeywords, type Condition } from './condition.js';
import type { SchemaField } from './field.js';
import { commentOf, isObject, objectIn, sameJson, textsIn, without, type Json } from './json.js';

/** A field that a branch asks for. */
export interface Asked {
  readonly key: string;
  readonly isRequired: boolean;
}

export type SchemaRule =
  | {
      readonly kind: 'condition';
      readonly if: Condition;
      readonly then: readonly Asked[];
      readonly otherwise: readonly Asked[];
      /** What it was read from, which is written again if nothing was changed. */
      readonly source?: Json;
    }
  /** What no condition here can say: enforced by the engine, and written as it was. */
  | { readonly kind: 'kept'; readonly source: unknown };

export type ConditionRule = Extract<SchemaRule, { kind: 'condition' }>;

type Write = (field: SchemaField) => Json;

/** One entry of `allOf`. `properties` are those of the schema itself. */
export function readRule(entry: unknown, properties: Json): SchemaRule {
  const rule: SchemaRule = { kind: 'kept', source: entry };
  if (!isObject(entry) || Object.keys(without(entry, ['if', 'then', 'else'])).length > 0) return rule;
  const test = readKeywords(entry['if']);
  const [then, otherwise] = [branchOf(entry['then'], properties), branchOf(entry['else'], properties)];
  if (test === undefined || then === undefined || otherwise === undefined) return rule;
  if (!isForbidden(then, otherwise) || !isForbidden(otherwise, then)) return rule;
  return { kind: 'condition', if: test, then: then.fields, otherwise: otherwise.fields, source: entry };
}

interface Branch {
  readonly fields: readonly Asked[];
  readonly absent: readonly string[];
}

/** `undefined` for what is more than fields of the schema, as they are there. */
function branchOf(branch: unknown, properties: Json): Branch | undefined {
  if (branch === undefined) return { fields: [], absent: [] };
  if (!isObject(branch) || Object.keys(without(branch, ['properties', 'required'])).length > 0) return undefined;
  const declared = Object.entries(objectIn(branch['properties']));
  const required = textsIn(branch['required']);
  if (required.some((key) => !declared.some(([name]) => name === key))) return undefined;
  const fields: Asked[] = [];
  for (const [key, property] of declared) {
    if (property === false) continue;
    if (!isObject(property) || !isCopy(property, properties[key])) return undefined;
    fields.push({ key, isRequired: required.includes(key) || commentOf(property)['conditionRequired'] === true });
  }
  return { fields, absent: declared.filter(([, property]) => property === false).map(([key]) => key) };
}

/** What is absent in one branch is asked for in the other one. */
const isForbidden = ({ absent }: Branch, { fields }: Branch): boolean =>
  absent.every((key) => fields.some((each) => each.key === key));

/** Whether a branch says of a field what the schema says. Examples may be left out. */
function isCopy(property: Json, own: unknown): boolean {
  if (!isObject(own)) return false;
  const [copy, original] = [commentOf(property), commentOf(own)];
  const facts = ['conditionRequired', 'orderPosition'];
  const words = ['$comment', ...(property['examples'] === undefined ? ['examples'] : [])];
  return (
    sameJson(without(property, words), without(own, words)) && sameJson(without(copy, facts), without(original, facts))
  );
}

/** As an entry of `allOf`. `before` are the properties that the rules were read with. */
export function writeRule(
  rule: SchemaRule,
  fields: ReadonlyMap<string, SchemaField>,
  write: Write,
  before: Json,
): unknown {
  if (rule.kind === 'kept') return rule.source;
  const keys = [...rule.then, ...rule.otherwise].map(({ key }) => key);
  const written = new Map(
    keys.flatMap((key) => {
      const field = fields.get(key);
      return field === undefined ? [] : [[key, write(field)] as const];
    }),
  );
  if (rule.source !== undefined && keys.every((key) => written.has(key))) {
    const same = sameRule(readRule(rule.source, before), rule);
    if (same && [...written].every(([key, property]) => sameJson(property, before[key]))) return rule.source;
  }
  const branch = (shown: readonly Asked[], absent: readonly Asked[]): Json => ({
    properties: Object.fromEntries([
      ...shown.flatMap(({ key, isRequired }): [string, Json][] => {
        const property = written.get(key);
        return property === undefined ? [] : [[key, isRequired ? demanded(property) : property]];
      }),
      ...absent
        .filter(({ key }) => written.has(key) && !shown.some((each) => each.key === key))
        .map(({ key }) => [key, false] as const),
    ]),
  });
  return {
    if: keywordsOf(rule.if),
    then: branch(rule.then, rule.otherwise),
    else: branch(rule.otherwise, rule.then),
  };
}

const demanded = (property: Json): Json => ({
  ...property,
  $comment: JSON.stringify({ ...commentOf(property), conditionRequired: true }),
});

function sameRule(a: SchemaRule, b: ConditionRule): boolean {
  return a.kind === 'condition' && sameJson([a.if, a.then, a.otherwise], [b.if, b.then, b.otherwise]);
}
