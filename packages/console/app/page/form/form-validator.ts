/** Validates forms by interpreting their schema, so the page works without `unsafe-eval`. */
import { format, Validator } from '@cfworker/json-schema';
import type { RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { texts } from '../../texts.js';
import { errorTree } from './form-schema.js';

type Values = Record<string, unknown>;

const draft = '7';

// As on the server, the zone may be missing: inputs of times write none.
for (const name of ['time', 'date-time']) {
  const isValid = format[name];
  if (isValid) format[name] = (value) => isValid(value) || isValid(`${value}Z`);
}

/** Cached, because forms evaluate the same conditions after each keystroke. */
const prepared = new WeakMap<RJSFSchema, Validator>();

/** The cache relies on each schema always having the same `root`. */
function validatorOf(schema: RJSFSchema, root: RJSFSchema): Validator {
  const cached = prepared.get(schema);
  if (cached !== undefined) return cached;
  const whole = schema !== root && hasReference(schema) ? { ...schema, definitions: root.definitions } : schema;
  const validator = new Validator(whole as never, draft, false);
  prepared.set(schema, validator);
  return validator;
}

export interface Problem {
  /** JSON pointer into the values. */
  readonly path: string;
  readonly message: string;
}

/** `root`: the schema with the definitions that references point to. */
export function problemsOf(schema: RJSFSchema, data: unknown, root = schema): Problem[] {
  // The validator does not accept `undefined`, the value of an empty field.
  if (data === undefined) return [{ path: '', message: texts.problems['required']?.('') ?? '' }];
  const { errors } = validatorOf(schema, root).validate(withoutAbsent(data));
  const problems = new Map<string, Problem>();
  for (const { instanceLocation, error, keyword } of errors) {
    if (outerKeywords.has(keyword)) continue;
    const problem = {
      path: pathOf(instanceLocation, keyword, error),
      message: texts.problems[keyword]?.(error) ?? error,
    };
    // A schema and its conditions may report the same error.
    problems.set(JSON.stringify(problem), problem);
  }
  return [...problems.values()];
}

/** Keywords that repeat an inner error at an outer object; only the innermost error is shown. */
const outerKeywords: ReadonlySet<string> = new Set(['properties', 'items', '$ref', 'allOf', 'if']);

/**
 * Removes `undefined` members, left by cleared fields, which the validator rejects. Returns the same object if there
 * are none.
 */
function withoutAbsent(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map(withoutAbsent);
    return items.some((item, at) => item !== data[at]) ? items : (data as unknown);
  }
  const entries = Object.entries(data);
  const present = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, withoutAbsent(value)] as const],
  );
  const isSame = present.length === entries.length && present.every(([, value], at) => value === entries[at]?.[1]);
  return isSame ? data : Object.fromEntries(present);
}

/** Schemas without references are compiled without the definitions, of which there can be hundreds. */
const hasReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('$ref' in value || Object.values(value).some(hasReference));

/** A missing property is reported at the object that lacks it. */
function pathOf(location: string, keyword: string, error: string): string {
  const path = location.replace(/^#/, '');
  const [, missing] = keyword === 'required' ? (/"([^"]+)"/.exec(error) ?? []) : [];
  return missing === undefined ? path : `${path}/${missing}`;
}

export const schemaValidator: ValidatorType<Values> = {
  validateFormData: (data: Values | undefined, schema: RJSFSchema): ValidationData<Values> => {
    const problems = problemsOf(schema, data);
    const errors: RJSFValidationError[] = problems.map(({ path, message }) => ({
      property: path,
      message,
      stack: message,
    }));
    return { errors, errorSchema: errorTree(problems) };
  },
  isValid: (schema: RJSFSchema, data: Values | undefined, root: RJSFSchema): boolean =>
    problemsOf(schema, data, root).length === 0,
  rawValidation: (schema: RJSFSchema, data?: Values) => ({ errors: problemsOf(schema, data) as never }),
};
