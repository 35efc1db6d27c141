/** Parts of schemas that work, but not as they seem: not in forms, or not in the reference. */
import { writtenMembers } from '@blockwork/contract/records';
import { hintAt, meantBy } from '../options/index.js';
import { isObject } from '../records/index.js';

type Schema = Readonly<Record<string, unknown>>;
/** Where it stands in the schema, a clause, and what would mend it. */
type Doubt = readonly [keys: readonly PropertyKey[], clause: string, remedy?: Remedy];

/** What is meant there, if it is not to be removed. */
export interface Remedy {
  readonly keys: readonly PropertyKey[];
  readonly value?: string | number | boolean;
}

/** @param within the keyword by which another schema holds this one; `undefined` for the whole document. */
export const doubtsIn = (schema: Schema, within: PropertyKey | undefined): Doubt[] => [
  ...requiredDoubts(schema, within),
  ...choiceDoubts(schema),
  ...boundDoubts(schema),
  ...(within === undefined ? nameDoubts(schema) : []),
  ...laterKeywords(schema),
  ...patternDoubts(schema.pattern),
  ...requiredHelp(schema),
  ...revealedTwice(schema),
];

/** Conditions may require what is a field of the schema around them. */
const holdsFields: readonly (PropertyKey | undefined)[] = [undefined, 'properties', '$defs', 'definitions', 'items'];

function requiredDoubts(schema: Schema, within: PropertyKey | undefined): Doubt[] {
  const { properties, required, patternProperties } = schema;
  if (!isObject(properties) || !Array.isArray(required) || isObject(patternProperties)) return [];
  if (!holdsFields.includes(within)) return [];
  return required.flatMap((name: unknown, index): Doubt[] => {
    if (typeof name !== 'string' || Object.hasOwn(properties, name) || isConditional(schema, name)) return [];
    const meant = meantBy(name, Object.keys(properties));
    const isRequired = meant !== undefined && required.includes(meant);
    const hint = isRequired ? ` ("${meant}" is required already)` : hintAt(meant);
    const clause = `is ${JSON.stringify(name)}, which is no field${hint}: no form of it can be filled in`;
    const keys = ['required', index];
    return [[keys, clause, { keys, ...(meant !== undefined && !isRequired && { value: meant }) }]];
  });
}

/** Whether a condition of the schema has the field. */
function isConditional(schema: Schema, name: string): boolean {
  const conditions = ['allOf', 'anyOf', 'oneOf'].flatMap((word): unknown[] => {
    const list = schema[word];
    return Array.isArray(list) ? list : [];
  });
  const branches = [schema, ...conditions].filter(isObject).flatMap((each) => [each['then'], each['else']]);
  return [...conditions, ...branches].some(
    (each) => isObject(each) && isObject(each['properties']) && Object.hasOwn(each['properties'], name),
  );
}

/** A choice of another type than its field. */
function choiceDoubts({ type, enum: choices }: Schema): Doubt[] {
  const wanted = type === 'integer' ? 'number' : type;
  if (!Array.isArray(choices) || (wanted !== 'string' && wanted !== 'number' && wanted !== 'boolean')) return [];
  const index = choices.findIndex((choice) => typeof choice !== wanted);
  if (index === -1) return [];
  const choice: unknown = choices[index];
  const keys = ['enum', index];
  const value = asTyped(choice, wanted);
  const clause = `is ${JSON.stringify(choice)}, which is no ${wanted}: nobody can choose it`;
  return [[keys, clause, { keys, ...(value !== undefined && !choices.includes(value) && { value }) }]];
}

/** The same as a text or number, where there is one. */
function asTyped(choice: unknown, wanted: 'string' | 'number' | 'boolean'): string | number | undefined {
  if (wanted === 'string') return typeof choice === 'number' ? String(choice) : undefined;
  const number = wanted === 'number' && typeof choice === 'string' && choice.trim() !== '' ? Number(choice) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

const bounds = [
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Bounds that leave no value between them. */
const boundDoubts = (schema: Schema): Doubt[] =>
  bounds.flatMap(([from, to]): Doubt[] => {
    const [least, most] = [schema[from], schema[to]];
    if (typeof least !== 'number' || typeof most !== 'number') return [];
    const isEmpty = from.startsWith('exclusive') || to.startsWith('exclusive') ? least >= most : least > most;
    return isEmpty ? [[[from], `is ${String(least)}, beyond the ${to} ${String(most)}: no value is between them`]] : [];
  });

/** Of members of a subject that no form asks for; generated schemas list them, as read-only. */
function nameDoubts({ properties }: Schema): Doubt[] {
  if (!isObject(properties)) return [];
  return writtenMembers.flatMap((name): Doubt[] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(field) || field['readOnly'] === true) return [];
    const clause = 'has a name that the engine uses itself, so that what users enter is lost: rename the field';
    return [[['properties', name], clause]];
  });
}

/** Keywords of JSON Schema that came after draft-07. */
const later = [
  'prefixItems',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'minContains',
  'maxContains',
];

const laterKeywords = (schema: Schema): Doubt[] =>
  later
    .filter((word) => Object.hasOwn(schema, word))
    .map((word) => [
      [word],
      'is not in draft-07 of JSON Schema, so it has no effect; the reference refuses it',
      { keys: [word] },
    ]);

/** The form of the reference compiles patterns without the flag `u`, its server with it. */
function patternDoubts(pattern: unknown): Doubt[] {
  if (typeof pattern !== 'string' || !compiles(pattern, '') || compiles(pattern, 'u')) return [];
  const clause = `${JSON.stringify(pattern)} escapes what needs no escape: the reference refuses every document. Write - in place of \\-`;
  return [[['pattern'], clause]];
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Help texts have no value but null, which forms of the reference do not send. */
function requiredHelp({ properties, required }: Schema): Doubt[] {
  if (!isObject(properties) || !Array.isArray(required)) return [];
  return required.flatMap((name, index): Doubt[] => {
    const field: unknown = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof name !== 'string' || !isObject(field) || field['type'] !== 'null') return [];
    const clause = 'is a help text and required: only null is accepted. Remove it from "required"';
    return [[['properties', name], clause, { keys: ['required', index] }]];
  });
}

/** Fields that several conditions show, and each forbids otherwise: they must hold together, or none. */
function revealedTwice({ allOf }: Schema): Doubt[] {
  if (!Array.isArray(allOf)) return [];
  const counts = new Map<string, number>();
  for (const entry of allOf as readonly unknown[]) {
    if (!isObject(entry)) continue;
    for (const [shown, hidden] of [
      [entry['then'], entry['else']],
      [entry['else'], entry['then']],
    ]) {
      const [own, other] = [fieldsOf(shown), fieldsOf(hidden)];
      for (const name of Object.keys(own)) {
        if (isObject(own[name]) && other[name] === false) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
  }
  return [...counts].flatMap(([name, count]): Doubt[] => {
    if (count < 2) return [];
    const clause = `has ${String(count)} conditions that show "${name}" and forbid it otherwise, so that all must hold or none: combine them in one, with anyOf`;
    return [[['allOf'], clause]];
  });
}

const fieldsOf = (branch: unknown): Schema =>
  isObject(branch) && isObject(branch['properties']) ? branch['properties'] : {};
