/** The conditions of a schema, `if` with `then` and `else`, and what their branches say about fields. */
import { isObject } from '@blockwork/core/block';
import { commentOf, propertiesOf } from '../schema-fields.js';

export type Schema = Record<string, unknown>;
export type Side = 'then' | 'else';

export interface Conditional {
  /** The schema in which it stands, by which conditions are told apart. */
  readonly entry: Schema;
  readonly test: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

/** At the root of the schema, and among its `allOf` and `anyOf`. */
export function conditionalsOf(schema: Schema): Conditional[] {
  return [schema, ...listOf(schema.allOf), ...listOf(schema.anyOf)].flatMap((entry) => conditionalOf(entry) ?? []);
}

/** `undefined` for a schema that is no condition, or one without branches. */
export function conditionalOf(entry: unknown): Conditional | undefined {
  if (!isObject(entry) || !isObject(entry.if)) return undefined;
  const { if: test, then, else: otherwise } = entry;
  if (!isObject(then) && !isObject(otherwise)) return undefined;
  return { entry, test, ...(isObject(then) && { then }), ...(isObject(otherwise) && { else: otherwise }) };
}

/** What a branch demands of fields within a nested schema, by the name of the field that holds it. */
export type Targets = ReadonlyMap<string, { readonly names: ReadonlySet<string>; readonly below: Targets }>;

/** Fields that the branch declares; with `false` in place of a schema, a field is forbidden. */
export const shownIn = (branch: Schema | undefined): string[] =>
  Object.entries(propertiesOf(branch ?? {}))
    .filter(([, property]) => isObject(property) && !isTarget(property))
    .map(([name]) => name);

/** Fields that the branch demands once its condition was asked. A branch of `required` demands them always. */
export const demandedIn = (branch: Schema | undefined): string[] =>
  Object.entries(propertiesOf(branch ?? {}))
    .filter(([, property]) => commentOf(property).conditionRequired === true)
    .map(([name]) => name);

/** Demands on fields within a nested schema, in place of a field of its own. */
export function isTarget(property: unknown): property is Schema {
  if (!isObject(property) || ['type', '$ref', 'oneOf'].some((word) => property[word] !== undefined)) return false;
  return isObject(property.properties) || Array.isArray(property.required) || isTarget(property.items);
}

/** All branches together. */
export function targetsOf(branches: readonly (Schema | undefined)[]): Targets {
  const targets = new Map<string, Schema[]>();
  for (const branch of branches) {
    for (const [name, property] of Object.entries(propertiesOf(branch ?? {}))) {
      if (!isTarget(property)) continue;
      const schemas = targets.get(name);
      if (schemas === undefined) targets.set(name, [heldBy(property)]);
      else schemas.push(heldBy(property));
    }
  }
  return new Map(
    [...targets].map(([name, schemas]) => [
      name,
      { names: new Set(schemas.flatMap(namesIn)), below: targetsOf(schemas) },
    ]),
  );
}

/** For each entry of a list. */
export const heldBy = (target: Schema): Schema => (isTarget(target.items) ? heldBy(target.items) : target);

const namesIn = (target: Schema): string[] => [
  ...requiredIn(target),
  ...Object.entries(propertiesOf(target)).flatMap(([name, property]) => (isTarget(property) ? [] : name)),
];

export const requiredIn = ({ required }: Schema): string[] =>
  listOf(required).filter((name): name is string => typeof name === 'string');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
