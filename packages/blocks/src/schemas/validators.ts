/** Checks of values against policies' JSON Schemas: compiled when first needed, and kept within a bound. */
import type { ErrorDetail, JsonObject } from '@blockwork/core/block';
import { Ajv, type ValidateFunction } from 'ajv';
import { toFailures } from './failures.js';
import { boundedFormats } from './formats.js';
import { KeptByLength } from './kept-by-length.js';
import { KEPT_CHARACTERS, SCHEMA_CHARACTERS, STEPS } from './limits.js';
import { linearPatterns } from './patterns.js';
import { COUNTED, SchemaUnusable, usableSchema } from './usable-schema.js';

/** By the text of the schema, so that the same schema in two policies is compiled once. */
const kept = new KeptByLength<ValidateFunction>(KEPT_CHARACTERS);

let stepsLeft = 0;

/** Only knows the language of schemas itself; what it checks, it does not keep. */
let language: Ajv | undefined;

/**
 * Everything that is wrong with `value`; empty when it is as the schema wants it. `where` is the pointer to the value
 * within what was handed in. Throws `SchemaUnusable`.
 */
export function failuresOf(schema: JsonObject, value: JsonObject, where: string): ErrorDetail[] {
  const validate = validatorOf(schema);
  stepsLeft = STEPS;
  try {
    return validate(value) ? [] : toFailures(validate.errors ?? [], where);
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaUnusable('checking against it takes too long');
    throw error;
  } finally {
    // What the function remembers would keep the value from being released.
    validate.errors = null;
  }
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (text.length > SCHEMA_CHARACTERS) {
    throw new SchemaUnusable(`it is longer than ${String(SCHEMA_CHARACTERS)} characters`);
  }
  const made = compile(schema);
  kept.set(text, made);
  return made;
}

/** Each schema has a compiler of its own, which goes when the schema goes: compilers never forget. */
function compile(schema: JsonObject): ValidateFunction {
  const usable = usableSchema(schema);
  language ??= new Ajv({ strict: false, logger: false });
  if (language.validateSchema(usable) !== true) {
    throw new SchemaUnusable(`it is no JSON Schema: ${language.errorsText(language.errors)}`);
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
    // Code is written for one schema and used for few values: making it short would take longer than it saves.
    code: { regExp: linearPatterns, optimize: false },
  });
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
