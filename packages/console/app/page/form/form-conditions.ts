/**
 * Conditions of a schema in the form in which the form library shows their fields: each field of a branch stands in its
 * branch only, required where the branch demands it, and a condition holds only if its question is asked.
 */
import type { RJSFSchema } from '@rjsf/utils';
import { typedTest } from './typed-test.js';

export type Schema = Record<string, unknown> & RJSFSchema;
type Fields = Readonly<Record<string, unknown>>;
type Side = 'then' | 'else';

/** Names of the fields of an object that its conditions show and hide; a word that the form library ignores. */
export const CONDITIONAL = 'conditionalFields';

/** The names of all fields of an object, in the order of the schema; ignored as well. */
export const FIELD_ORDER = 'fieldOrder';

/** Conditions that ask for each other's fields, in this many steps at most; further ones count as asked. */
const CHAIN = 8;

export interface Definitions {
  readonly of: (field: unknown) => Schema | undefined;
  /** Adds a nested schema; returns a reference to it. */
  readonly add: (schema: Schema) => string;
}

/** A document with the conditions of each of its schemas so written. Its nested schemas keep their order. */
export function withFormConditions(document: RJSFSchema): RJSFSchema {
  const written = Object.entries((document['$defs'] ?? {}) as Record<string, Schema>);
  const nested = new Map(written);
  const definitions: Definitions = {
    of: (field) => {
      if (!isObject(field)) return undefined;
      const ref = field['$ref'];
      // The `$ref` of a field that has a type is the address of a list of values.
      return typeof ref === 'string' && field['type'] === undefined ? nested.get(ref) : field;
    },
    add: (schema) => {
      const name = `#form-${String(nested.size)}`;
      nested.set(name, schema);
      return name;
    },
  };
  const prepared = new Map<string, Schema>();
  for (const [name, schema] of written) prepared.set(name, objectSchema(schema, definitions));
  const root = objectSchema(document, definitions);
  // Those that were added are complete.
  for (const [name, schema] of nested) if (!prepared.has(name)) prepared.set(name, schema);
  return { ...root, ...(prepared.size > 0 && { $defs: Object.fromEntries(prepared) }) };
}

interface Conditional {
  readonly test: Schema;
  readonly branches: Readonly<Record<Side, Schema>>;
}

const sides = ['then', 'else'] as const;
const other = { then: 'else', else: 'then' } as const;

function objectSchema(schema: Schema, definitions: Definitions): Schema {
  const conditionals = conditionalsOf(schema);
  if (conditionals.length === 0) return schema;
  const own = fieldsOf(schema);
  const required = schema.required ?? [];
  const isOpen = (name: string): boolean => !required.includes(name);
  const declared = new Set(conditionals.flatMap((each) => sides.flatMap((side) => declaredIn(each, side))));
  const hidden = conditionals.flatMap((each) => sides.flatMap((side) => hiddenIn(each, side, declared)));
  const shown = new Set([...declared, ...hidden].filter(isOpen));
  const targets = targetsOf(conditionals);
  const properties = Object.entries(own)
    .filter(([name]) => !shown.has(name))
    .map(([name, field]) => [name, withoutTargets(field, targets.get(name), definitions)] as const);
  const branch = (conditional: Conditional, side: Side): Schema => {
    const { properties: fields = {}, required: demanded = [], ...rest } = conditional.branches[side];
    const opposite = fieldsOf(conditional.branches[other[side]]);
    const fieldsHere = Object.entries({ ...targetsOnly(opposite), ...fields }).flatMap(
      ([name, field]): [string, unknown][] => {
        if (field === false) return [];
        if (isTarget(field)) return [[name, targetFields(fields[name], opposite[name], own[name], definitions)]];
        return [[name, isObject(own[name]) && isObject(field) ? { ...own[name], ...field } : field]];
      },
    );
    const hiddenElsewhere = hiddenIn(conditional, side, declared)
      .filter((name) => shown.has(name) && own[name] !== undefined)
      .map((name) => [name, own[name]] as [string, unknown]);
    const shownHere = [...fieldsHere, ...hiddenElsewhere];
    const marked = Object.entries(fields).filter(([, field]) => commentOf(field)['conditionRequired'] === true);
    const names = [...new Set([...demanded, ...marked.map(([name]) => name)])];
    return {
      ...rest,
      ...(shownHere.length > 0 && { properties: Object.fromEntries(shownHere) }),
      ...(names.length > 0 && { required: names }),
    } as Schema;
  };
  const scope = { reveals: revealsOf(conditionals), schema, definitions };
  const conditions = conditionals.map((each) => {
    const condition = {
      if: testOf(each, scope),
      then: branch(each, 'then'),
      else: branch(each, 'else'),
    };
    const required = askedFor(each, scope, [each]);
    return required === true ? condition : { if: required, then: condition };
  });
  const { if: _if, then: _then, else: _else, allOf = [], ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    allOf: [...allOf.filter((entry) => !isConditional(entry)), ...conditions],
    [CONDITIONAL]: [...shown],
    [FIELD_ORDER]: Object.keys(own),
  } as unknown as Schema;
}

/** Of the schema, and those within its branches, which hold only with the branch. */
function conditionalsOf(schema: Schema, around: readonly Schema[] = []): Conditional[] {
  return [schema, ...((schema.allOf ?? []) as unknown[])].filter(isConditional).flatMap((entry) => {
    const own = entry.if as Schema;
    const [then, otherwise] = [branchOf(entry.then), branchOf(entry.else)];
    const opposite = { not: own } as Schema;
    const within = [...conditionalsOf(then, [...around, own]), ...conditionalsOf(otherwise, [...around, opposite])];
    const branches = { then: withoutConditions(then), else: withoutConditions(otherwise) };
    if (around.length === 0) return [{ test: own, branches }, ...within];
    const each = (test: Schema, branch: Schema): Conditional => ({
      test: { allOf: [...around, test] },
      branches: { then: branch, else: {} },
    });
    return [each(own, branches.then), each(opposite, branches.else), ...within];
  });
}

function withoutConditions({ if: _if, then: _then, else: _else, allOf = [], ...branch }: Schema): Schema {
  const rest = allOf.filter((entry) => !isConditional(entry));
  return { ...branch, ...(rest.length > 0 && { allOf: rest }) };
}

function branchOf(branch: unknown): Schema {
  return isObject(branch) ? branch : {};
}

const isConditional = (entry: unknown): entry is Schema =>
  isObject(entry) && isObject(entry['if']) && (isObject(entry['then']) || isObject(entry['else']));

/** Fields that the side declares. */
const declaredIn = ({ branches }: Conditional, side: Side): string[] =>
  Object.entries(fieldsOf(branches[side])).flatMap(([name, field]) =>
    isObject(field) && !isTarget(field) ? [name] : [],
  );

/** Fields that the other side forbids, and none of all conditions declares. */
const hiddenIn = ({ branches }: Conditional, side: Side, declared: ReadonlySet<string>): string[] =>
  Object.entries(fieldsOf(branches[other[side]])).flatMap(([name, field]) =>
    field === false && !declared.has(name) ? [name] : [],
  );

interface Reveal {
  readonly by: Conditional;
  readonly side: Side;
}

function revealsOf(conditionals: readonly Conditional[]): Map<string, Reveal[]> {
  const reveals = new Map<string, Reveal[]>();
  for (const by of conditionals) {
    for (const side of sides) {
      for (const name of declaredIn(by, side)) reveals.set(name, [...(reveals.get(name) ?? []), { by, side }]);
    }
  }
  return reveals;
}

interface Scope {
  readonly reveals: ReadonlyMap<string, readonly Reveal[]>;
  readonly schema: Schema;
  readonly definitions: Definitions;
}

const testOf = ({ test }: Conditional, { schema, definitions }: Scope): Schema =>
  typedTest(test, schema, definitions.of) as Schema;

/** When the fields that the condition reads are asked for: always, or where a schema holds. */
function askedFor({ test }: Conditional, scope: Scope, above: readonly Conditional[]): Schema | true {
  const parts = [test, ...((test.allOf ?? []) as Schema[]), ...((test.anyOf ?? []) as Schema[])];
  const names = parts.flatMap((part) =>
    Object.entries(fieldsOf(part)).map(([name, value]) =>
      isObject(value) && isObject(value['properties']) ? '' : name,
    ),
  );
  const schemas = names.map((name): Schema | true => {
    const [reveal, more] = scope.reveals.get(name) ?? [];
    if (reveal === undefined || more !== undefined || above.includes(reveal.by) || above.length > CHAIN) return true;
    const before = askedFor(reveal.by, scope, [...above, reveal.by]);
    const own = testOf(reveal.by, scope);
    const side = reveal.side === 'then' ? own : { not: own };
    return before === true ? side : { allOf: [before, side] };
  });
  const open = schemas.filter((each) => each !== true);
  if (open.length === 0 || (test.anyOf !== undefined && open.length < schemas.length)) return true;
  return test.anyOf === undefined ? { allOf: open } : { anyOf: open };
}

/** Demands of a branch on the fields of a nested schema, in place of a field of its own. */
function isTarget(field: unknown): field is Schema {
  if (!isObject(field) || ['type', '$ref', 'oneOf'].some((word) => field[word] !== undefined)) return false;
  return isObject(field['properties']) || Array.isArray(field['required']) || isTarget(field['items']);
}

/** Of all branches, by the field that holds the nested schema. */
function targetsOf(conditionals: readonly Conditional[]): Map<string, Schema[]> {
  const targets = new Map<string, Schema[]>();
  for (const { branches } of conditionals) {
    for (const side of sides) {
      for (const [name, field] of Object.entries(fieldsOf(branches[side]))) {
        if (isTarget(field)) targets.set(name, [...(targets.get(name) ?? []), field]);
      }
    }
  }
  return targets;
}

/** The field with a nested schema that lacks what the branches show there, and does not require what they demand. */
function withoutTargets(field: unknown, targets: readonly Schema[] | undefined, definitions: Definitions): unknown {
  if (targets === undefined || !isObject(field)) return field;
  if (isObject(field['items'])) {
    const inner = targets.flatMap(({ items }) => (isTarget(items) ? [items] : []));
    return { ...field, items: withoutTargets(field['items'], inner, definitions) };
  }
  const nested = definitions.of(field);
  if (nested === undefined) return field;
  const schema = objectSchema(nested, definitions);
  const demanded = new Set(targets.flatMap(({ required = [] }) => required));
  const forbidden = new Set(targets.flatMap((each) => forbiddenIn(each)));
  const below = targetsIn(targets);
  const lifted = {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(fieldsOf(schema))
        .filter(([name]) => !forbidden.has(name))
        .map(([name, inner]) => [name, withoutTargets(inner, below.get(name), definitions)]),
    ),
    required: (schema.required ?? []).filter((name) => !demanded.has(name) && !forbidden.has(name)),
    [CONDITIONAL]: [...((schema[CONDITIONAL] as string[] | undefined) ?? []), ...forbidden],
    [FIELD_ORDER]: Object.keys(fieldsOf(nested)),
  } as Schema;
  const { $ref: _ref, ...own } = field;
  return typeof field['$ref'] === 'string' ? { ...own, $ref: definitions.add(lifted) } : lifted;
}

const forbiddenIn = (target: Schema): string[] =>
  Object.entries(fieldsOf(target)).flatMap(([name, field]) => (field === false ? [name] : []));

function targetsIn(targets: readonly Schema[]): Map<string, Schema[]> {
  const below = new Map<string, Schema[]>();
  for (const target of targets) {
    for (const [name, field] of Object.entries(fieldsOf(target))) {
      if (isTarget(field)) below.set(name, [...(below.get(name) ?? []), field]);
    }
  }
  return below;
}

/** What the branch demands of the nested schema, with the fields that it shows there: those that `opposite` forbids. */
function targetFields(target: unknown, opposite: unknown, field: unknown, definitions: Definitions): unknown {
  const [own, others] = [target, opposite].map((each) => (isTarget(each) ? each : {})) as [Schema, Schema];
  if (isTarget(own.items) || isTarget(others.items)) {
    const items = isObject(field) ? field['items'] : undefined;
    return { items: targetFields(own.items, others.items, items, definitions) };
  }
  const nested = fieldsOf(definitions.of(field) ?? {});
  const required = own.required ?? [];
  const shown = [...required, ...forbiddenIn(others)].filter((name) => isObject(nested[name]));
  const below = Object.keys({ ...targetsOnly(fieldsOf(others)), ...targetsOnly(fieldsOf(own)) });
  const inner = (name: string): unknown =>
    targetFields(fieldsOf(own)[name], fieldsOf(others)[name], nested[name], definitions);
  return {
    properties: Object.fromEntries([
      ...shown.map((name) => [name, nested[name]]),
      ...below.map((name) => [name, inner(name)]),
    ] as [string, unknown][]),
    ...(required.length > 0 && { required }),
  };
}

const targetsOnly = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => isTarget(field)));

const fieldsOf = ({ properties }: { readonly properties?: unknown }): Fields =>
  isObject(properties) ? properties : {};

export function commentOf(field: unknown): Fields {
  if (!isObject(field) || typeof field['$comment'] !== 'string') return {};
  try {
    const comment: unknown = JSON.parse(field['$comment']);
    return isObject(comment) ? comment : {};
  } catch {
    return {};
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
