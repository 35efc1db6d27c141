/** Conditions in the shape that front ends read: fields that are compared, and those that the branches show. */
import type { Json, JsonObject } from '@blockwork/core/block';
import { propertiesOf } from '../schema-fields.js';
import { conditionalsOf, heldBy, isTarget, requiredIn, shownIn, type Conditional, type Schema } from './conditional.js';
import { comparisonsIn, type Comparisons, type Predicate } from './predicates.js';
import { withTypedConstants } from './typed-constants.js';

interface Form {
  /** The schema of the object. */
  readonly schema: Schema;
  /** The fields of the object. */
  readonly fields: readonly JsonObject[];
  readonly definitions: ReadonlyMap<string, Schema>;
  /** The fields that a branch declares. */
  readonly fieldsOf: (branch: Schema) => JsonObject[];
}

/**
 * A test that is no comparison of fields with constants is left out, and its fields are shown always: it is enforced all
 * the same.
 */
export function formConditions(form: Form): JsonObject[] {
  return conditionsIn(form.schema, [], form);
}

/** `outer`: what must hold around the branch `holder`. */
function conditionsIn(holder: Schema, outer: readonly Predicate[], form: Form): JsonObject[] {
  return conditionalsOf(holder).flatMap((conditional): JsonObject[] => {
    const read = comparisonsIn(withTypedConstants(conditional.test, form.schema, form.definitions) as Schema);
    if (read === undefined || (outer.length > 0 && read.operator === 'OR')) return [];
    const predicates = [...outer, ...read.predicates];
    const test = testOf({ ...read, predicates }, form.fields);
    if (test === undefined) return [];
    const inner = read.operator === 'AND' && conditional.then ? conditionsIn(conditional.then, predicates, form) : [];
    return [{ ifCondition: test, ...branchesOf(conditional, form) }, ...inner];
  });
}

/** `undefined` where something is compared that is no single field of the form. */
function testOf({ operator, predicates }: Comparisons, fields: readonly JsonObject[]): JsonObject | undefined {
  const tests = predicates.map((predicate) => predicateOf(predicate, fields));
  if (!tests.every((test) => test !== undefined)) return undefined;
  const [first] = tests;
  return tests.length === 1 ? first : { [operator]: tests };
}

function predicateOf({ path, constant, comparator }: Predicate, fields: readonly JsonObject[]): JsonObject | undefined {
  const field = path.reduce<JsonObject | undefined>(
    (at, name, depth) =>
      ((depth === 0 ? fields : at?.fields) as JsonObject[] | null | undefined)?.find((each) => each.name === name),
    undefined,
  );
  // A nested object is never equal to a constant, and it may be large.
  if (field === undefined || field.isRef === true) return undefined;
  return {
    field,
    fieldValue: constant,
    ...(path.length > 1 && { fieldPath: [...path] }),
    ...(comparator === 'contains' && { comparator }),
  };
}

function branchesOf({ then, else: otherwise }: Conditional, { fieldsOf }: Form): JsonObject {
  const shown = (branch: Schema | undefined): JsonObject[] => {
    if (branch === undefined) return [];
    const properties = propertiesOf(branch);
    return fieldsOf({
      ...branch,
      properties: Object.fromEntries(shownIn(branch).map((name) => [name, properties[name]])),
    });
  };
  const [thenTargets, elseTargets] = [then, otherwise].map((branch) => targetPaths(branch ?? {}));
  return {
    thenFields: shown(then),
    elseFields: shown(otherwise),
    ...(thenTargets && thenTargets.length > 0 && { thenTargets }),
    ...(elseTargets && elseTargets.length > 0 && { elseTargets }),
  };
}

/** Fields within nested objects that the branch demands. */
function targetPaths(branch: Schema, above: readonly string[] = []): Json[] {
  return Object.entries(propertiesOf(branch)).flatMap(([name, property]): Json[] => {
    if (!isTarget(property)) return [];
    const holder = heldBy(property);
    const path = [...above, name];
    return [...requiredIn(holder).map((each) => ({ fieldPath: [...path, each] })), ...targetPaths(holder, path)];
  });
}
