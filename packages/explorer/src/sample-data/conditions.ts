/** Conditional fields of a JSON schema: `allOf` with `if`, `then` and `else`, as forms have them. */
import { isObject, sameJson } from '@blockwork/core/block';

type Schema = Readonly<Record<string, unknown>>;

export interface Fields {
  readonly properties: Schema;
  readonly required: ReadonlySet<string>;
}

/** Names of fields that only a condition requires. */
export function conditionalFields(schema: Schema): ReadonlySet<string> {
  return new Set(conditionsOf(schema).flatMap(({ then, otherwise }) => [...namesIn(then), ...namesIn(otherwise)]));
}

/**
 * Fields required by the conditions, given the values so far. A generator, because the values that the caller fills in for one
 * condition decide the next.
 */
export function* fieldsInForce(schema: Schema, values: Schema): Generator<Fields> {
  const own = isObject(schema['properties']) ? schema['properties'] : {};
  for (const { condition, then, otherwise } of conditionsOf(schema)) {
    const branch = meets(condition, values) ? then : otherwise;
    const properties = Object.fromEntries(namesIn(branch).map((name) => [name, definitionOf(name, branch, own)]));
    yield { properties, required: new Set(listOf(branch['required']).filter((name) => typeof name === 'string')) };
  }
}

interface Condition {
  readonly condition: Schema;
  readonly then: Schema;
  readonly otherwise: Schema;
}

function conditionsOf(schema: Schema): Condition[] {
  return [schema, ...listOf(schema['allOf']).filter(isObject)].flatMap((part) => {
    const { if: condition, then, else: otherwise } = part;
    if (!isObject(condition)) return [];
    return [{ condition, then: isObject(then) ? then : {}, otherwise: isObject(otherwise) ? otherwise : {} }];
  });
}

/** Fields that a branch describes, or demands. */
function namesIn({ properties, required }: Schema): string[] {
  const described = isObject(properties) ? Object.keys(properties) : [];
  return [...new Set([...described, ...listOf(required).filter((name) => typeof name === 'string')])];
}

/** The schema of the whole may say more about a field than the branch, which may only name it. */
function definitionOf(name: string, { properties }: Schema, own: Schema): unknown {
  const there = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const here = Object.hasOwn(own, name) ? own[name] : undefined;
  return isObject(there) && isObject(here) ? { ...here, ...there } : (there ?? here);
}

/** What conditions of forms consist of: constants and choices of fields, and combinations of them. */
function meets(condition: Schema, value: unknown): boolean {
  const { properties, required, allOf, anyOf, oneOf, not } = condition;
  const fields = isObject(value) ? value : {};
  if ('const' in condition && !sameJson(value, condition['const'])) return false;
  if (Array.isArray(condition['enum']) && !condition['enum'].some((each) => sameJson(value, each))) return false;
  if (listOf(required).some((name) => !Object.hasOwn(fields, String(name)))) return false;
  if (
    listOf(allOf)
      .filter(isObject)
      .some((each) => !meets(each, value))
  )
    return false;
  if (Array.isArray(anyOf) && !anyOf.filter(isObject).some((each) => meets(each, value))) return false;
  if (Array.isArray(oneOf) && oneOf.filter(isObject).filter((each) => meets(each, value)).length !== 1) return false;
  if (isObject(not) && meets(not, value)) return false;
  // As JSON Schema has it: a field that is not there meets every condition on its value.
  return Object.entries(isObject(properties) ? properties : {}).every(
    ([name, each]) => !isObject(each) || !Object.hasOwn(fields, name) || meets(each, fields[name]),
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
