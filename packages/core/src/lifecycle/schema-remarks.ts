/** Parts of schemas that work, but not as they seem, or not in the reference. */
import { isObject } from '../records/index.js';

type Schema = Readonly<Record<string, unknown>>;
/** Where it stands in the schema, and a clause. */
type Remark = readonly [keys: readonly PropertyKey[], clause: string];

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

export const remarksIn = (schema: Schema): Remark[] => [
  ...later
    .filter((word) => Object.hasOwn(schema, word))
    .map((word): Remark => [
      [word],
      'is not in draft-07 of JSON Schema, so it has no effect; the reference refuses it',
    ]),
  ...patternRemarks(schema.pattern),
  ...requiredHelp(schema),
  ...revealedTwice(schema),
];

/** The form of the reference compiles patterns without the flag `u`, its server with it. */
function patternRemarks(pattern: unknown): Remark[] {
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
function requiredHelp({ properties, required }: Schema): Remark[] {
  if (!isObject(properties) || !Array.isArray(required)) return [];
  return required.flatMap((name): Remark[] => {
    const field: unknown = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof name !== 'string' || !isObject(field) || field['type'] !== 'null') return [];
    return [[['properties', name], 'is a help text and required: only null is accepted. Remove it from "required"']];
  });
}

/** Fields that several conditions show, and each forbids otherwise: they must hold together, or none. */
function revealedTwice({ allOf }: Schema): Remark[] {
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
  return [...counts].flatMap(([name, count]): Remark[] => {
    if (count < 2) return [];
    const clause = `has ${String(count)} conditions that show "${name}" and forbid it otherwise, so that all must hold or none: combine them in one, with anyOf`;
    return [[['allOf'], clause]];
  });
}

const fieldsOf = (branch: unknown): Schema =>
  isObject(branch) && isObject(branch['properties']) ? branch['properties'] : {};
