/** Validation against JSON Schemas of policies, which are compiled on first use and cached. */
import type { ErrorDetail, JsonObject } from '@blockwork/core/block';
import type { Ajv, ValidateFunction } from 'ajv';
import { ajv } from './ajv.js';
import { addConditionKeywords } from './conditions/keywords.js';
import { toFailures } from './failures.js';
import { boundedFormats } from './values/formats.js';
import { unequalLists } from './values/linked-lists.js';
import { wrongPlaces } from './values/places.js';
import { KEPT_CHARACTERS, SCHEMA_CHARACTERS, STEPS } from './limits.js';
import { linearPatterns } from './values/patterns.js';
import { sizeBoundedCache } from './size-bounded-cache.js';
import { SchemaUnusable } from './schema-unusable.js';
import { COUNTED, usableSchema } from './usable-schema.js';

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
  const known = validators.get(text);
  if (known !== undefined) return known;
  if (text.length > SCHEMA_CHARACTERS) {
    throw new SchemaUnusable(`it is longer than ${String(SCHEMA_CHARACTERS)} characters`);
  }
  const made = compile(schema);
  validators.set(text, made);
  return made;
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
