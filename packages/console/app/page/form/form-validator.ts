/** Validates forms by interpreting their schema, so the page works without `unsafe-eval`. */
import { Validator } from '@cfworker/json-schema';
import type { RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { texts } from '../../texts.js';
import { errorTree } from './form-schema.js';

type Values = Record<string, unknown>;

const draft = '7';

/** Forms ask for the same conditions after each key. */
const prepared = new WeakMap<RJSFSchema, Validator>();

/** Of one schema, `root` is always the same. */
function validatorOf(schema: RJSFSchema, root: RJSFSchema): Validator {
  const known = prepared.get(schema);
  if (known !== undefined) return known;
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

/** `root`: what the schema refers to is looked up there. */
export function problemsOf(schema: RJSFSchema, data: unknown, root = schema): Problem[] {
  // A field that nobody has filled in yet has no value, of which the validator knows nothing.
  if (data === undefined) return [{ path: '', message: texts.problems['required']?.('') ?? '' }];
  const { errors } = validatorOf(schema, root).validate(withoutAbsent(data));
  const problems = new Map<string, Problem>();
  for (const { instanceLocation, error, keyword } of errors) {
    if (outerKeywords.has(keyword)) continue;
    const problem = {
      path: pathOf(instanceLocation, keyword, error),
      message: texts.problems[keyword]?.(error) ?? error,
    };
    // A schema and its conditions may ask the same of a field.
    problems.set(JSON.stringify(problem), problem);
  }
  return [...problems.values()];
}

/** Of a problem inside an object, the object is reported as well; only the innermost is worth showing. */
const outerKeywords: ReadonlySet<string> = new Set(['properties', 'items', '$ref', 'allOf', 'if']);

/** Fields that were emptied are there without a value, which the validator refuses to look at. The same object where there are none. */
function withoutAbsent(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map(withoutAbsent);
    return items.some((item, at) => item !== data[at]) ? items : (data as unknown);
  }
  const entries = Object.entries(data);
  const kept = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, withoutAbsent(value)] as const]));
  const isSame = kept.length === entries.length && kept.every(([, value], at) => value === entries[at]?.[1]);
  return isSame ? data : Object.fromEntries(kept);
}

/** Definitions, of which there are hundreds, are prepared only where they are needed. */
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
