/** Validation against JSON Schemas of policies, which are compiled on first use and cached. */
import type { ErrorDetail, JsonObject } from '@blockwork/core/block';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import { ajv } from './ajv.js';
import { addConditionKeywords, FORBIDDEN } from './conditions/keywords.js';
import { FAILURES, KEPT_CHARACTERS, SCHEMA_CHARACTERS, STEPS } from './limits.js';
import { SchemaUnusable } from './schema-unusable.js';
import { COUNTED, usableSchema } from './usable-schema.js';
import { boundedFormats } from './values/formats.js';
import { unequalLists } from './values/linked-lists.js';
import { linearPatterns } from './values/patterns.js';
import { wrongPlaces } from './values/places.js';

/** Evicts the least recently used values beyond `characters`; a longer key is not kept at all. */
export const sizeBoundedCache = <Value extends object>(characters: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: characters, sizeCalculation: (_, key) => Math.max(1, key.length) });

/** Validators by the text of their schema, so that a schema of several policies is compiled once. */
const validators = sizeBoundedCache<ValidateFunction>(KEPT_CHARACTERS);

let stepsLeft = 0;

/** Validates schemas themselves. It retains none of them. */
let language: Ajv | undefined;

/**
 * Every violation of the schema by `value`; empty where it is valid. `where` is the JSON pointer of the value within the
 * input. Throws `SchemaUnusable`.
 */
export function failuresOf(schema: JsonObject, value: JsonObject, where: string): ErrorDetail[] {
  const validate = validatorOf(schema);
  stepsLeft = STEPS;
  try {
    const failures = validate(value) ? [] : toFailures(validate.errors ?? [], where);
    return [...failures, ...unequalLists(schema, value, where), ...wrongPlaces(schema, value, where)];
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaUnusable('checking against it takes too long');
    throw error;
  } finally {
    // The errors hold the value, which could not be freed as long as the function is cached.
    validate.errors = null;
  }
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema);
  const cached = validators.get(text);
  if (cached !== undefined) return cached;
  if (text.length > SCHEMA_CHARACTERS) {
    throw new SchemaUnusable(`it is longer than ${String(SCHEMA_CHARACTERS)} characters`);
  }
  const validator = compile(schema);
  validators.set(text, validator);
  return validator;
}

/** With one compiler per schema: a compiler retains every schema it has compiled. */
function compile(schema: JsonObject): ValidateFunction {
  const usable = usableSchema(schema);
  const { Ajv } = ajv();
  language ??= new Ajv({ strict: false, logger: false });
  if (language.validateSchema(usable) !== true) {
    throw new SchemaUnusable(`it is not a JSON Schema: ${language.errorsText(language.errors)}`);
  }
  const compiler = new Ajv({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    inlineRefs: false,
    allErrors: true,
    ownProperties: true,
    formats: boundedFormats,
    // Optimizing the generated code costs more than it saves, because few values are validated with it.
    code: { regExp: linearPatterns, optimize: false },
  });
  addConditionKeywords(compiler);
  compiler.addKeyword({ keyword: COUNTED, schemaType: 'number', errors: false, validate: countSteps });
  try {
    return compiler.compile(usable);
  } catch (error) {
    if (error instanceof SchemaUnusable) throw error;
    throw new SchemaUnusable(error instanceof Error ? error.message : 'it cannot be compiled');
  }
}

function countSteps(weight: number): true {
  stepsLeft -= weight;
  if (stepsLeft < 0) throw new RangeError('Too many steps.');
  return true;
}

/** `where`: JSON pointer of the subject within the input. Without duplicates. */
function toFailures(errors: readonly ErrorObject[], where: string): ErrorDetail[] {
  const details = withoutOtherAlternatives(errors)
    .filter(({ keyword }) => keyword !== 'if')
    .map((error) => toDetail(error, where));
  const seen = new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail]));
  return [...seen.values()].slice(0, FAILURES);
}

function toDetail({ keyword, instancePath, params, message }: ErrorObject, where: string): ErrorDetail {
  const at = where + instancePath;
  const { missingProperty, additionalProperty, allowedValues, property } = params as Record<string, unknown>;
  if (keyword === 'required') return { path: at + step(missingProperty), message: 'is required' };
  if (keyword === 'additionalProperties') return { path: at + step(additionalProperty), message: 'is not known here' };
  if (keyword === FORBIDDEN) return { path: at + step(property), message: message ?? 'is not allowed' };
  if (keyword === 'enum' && Array.isArray(allowedValues)) {
    const values = allowedValues.slice(0, 20).map((value) => JSON.stringify(value));
    return { path: at, message: `must be one of ${values.join(', ')}${allowedValues.length > 20 ? ', …' : ''}` };
  }
  return { path: at, message: message ?? 'is not valid' };
}

const step = (name: unknown): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** `errors`: in the validator's order, in which the errors of the alternatives directly precede that of the choice. */
function withoutOtherAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const remaining: ErrorObject[] = [];
  for (const error of errors) {
    const begin = isChoice(error) ? beginOf(remaining, error) : remaining.length;
    const relevant =
      begin < remaining.length ? relevantErrors(error, byAlternative(remaining.slice(begin), error)) : undefined;
    if (relevant === undefined) remaining.push(error);
    else remaining.splice(begin, remaining.length, ...relevant);
  }
  return remaining;
}

const isChoice = ({ keyword }: ErrorObject): boolean => keyword === 'oneOf' || keyword === 'anyOf';

function beginOf(errors: readonly ErrorObject[], choice: ErrorObject): number {
  let begin = errors.length;
  for (let each = errors[begin - 1]; each !== undefined && isWithin(each, choice); each = errors[begin - 1]) begin -= 1;
  return begin;
}

function byAlternative(errors: readonly ErrorObject[], choice: ErrorObject): ErrorObject[][] {
  const alternatives = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const name = error.schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0] ?? '';
    const errorsOfName = alternatives.get(name);
    if (errorsOfName === undefined) alternatives.set(name, [error]);
    else errorsOfName.push(error);
  }
  return [...alternatives.values()];
}

/** The path of the value is compared as well, since a schema may apply to several values. */
const isWithin = (error: ErrorObject, choice: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
  (error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`));

/** `undefined` if the intended alternative cannot be determined. */
function relevantErrors(
  choice: ErrorObject,
  alternatives: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const common = commonErrors(alternatives);
  if (common.length > 0) return common;
  const possible = alternatives.filter((errors) => !errors.some((error) => rulesOut(error, choice)));
  if (possible.length === 1) return [...(possible[0] ?? [])];
  return possible.length === 0 ? unknownDiscriminator(choice, alternatives) : undefined;
}

/** The errors that all alternatives have in common. */
function commonErrors([first = [], ...others]: readonly (readonly ErrorObject[])[]): ErrorObject[] {
  const keySets = others.map((errors) => new Set(errors.map(errorKey)));
  return first.filter((error) => valuesOf(error) === undefined && keySets.every((each) => each.has(errorKey(error))));
}

const errorKey = ({ instancePath, keyword, message = '' }: ErrorObject): string =>
  [instancePath, keyword, message].join('\n');

/** Whether the error rules the alternative out: the value's type, or a discriminating member, differs. */
function rulesOut({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  if (instancePath === choice.instancePath) return keyword === 'type';
  const isMember = instancePath.lastIndexOf('/') === choice.instancePath.length;
  return isMember && (keyword === 'enum' || keyword === 'const');
}

/** A single error with the values that all alternatives allow for the discriminating member. */
function unknownDiscriminator(
  choice: ErrorObject,
  alternatives: readonly (readonly ErrorObject[])[],
): ErrorObject[] | undefined {
  const discriminators = alternatives.map((errors) =>
    errors.find((error) => rulesOut(error, choice) && valuesOf(error)),
  );
  const [first] = discriminators;
  if (first === undefined || discriminators.some((each) => each?.instancePath !== first.instancePath)) return undefined;
  const allowedValues = [...new Set(discriminators.flatMap((each) => (each && valuesOf(each)) ?? []))];
  return [{ ...first, keyword: 'enum', params: { allowedValues } }];
}

function valuesOf({ params }: ErrorObject): readonly unknown[] | undefined {
  const { allowedValues, allowedValue } = params as { allowedValues?: readonly unknown[]; allowedValue?: unknown };
  return allowedValues ?? (allowedValue === undefined ? undefined : [allowedValue]);
}
