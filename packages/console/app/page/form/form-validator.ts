/** Validates forms by interpreting their schema: no code is made from it, so the page needs no evaluation. */
import { Validator } from '@cfworker/json-schema';
import type { RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { texts } from '../../texts.js';
import { errorTree } from './form-schema.js';

type Values = Record<string, unknown>;

const draft = '7';

function problemsOf(schema: RJSFSchema, data: unknown): { readonly path: string; readonly message: string }[] {
  // A field that nobody has filled in yet has no value, of which the validator knows nothing.
  if (data === undefined) return [{ path: '', message: texts.problems['required']?.('') ?? '' }];
  const { errors } = new Validator(schema as never, draft, false).validate(data);
  // Of a problem inside an object, the object is reported as well; only the innermost is worth showing.
  return errors
    .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items' && keyword !== '$ref')
    .map(({ instanceLocation, error, keyword }) => ({
      path: pathOf(instanceLocation, keyword, error),
      message: texts.problems[keyword]?.(error) ?? error,
    }));
}

/** Forms ask for each of their conditions, after each key: definitions, of which there are hundreds, are prepared only where they are needed. */
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
    problemsOf(hasReference(schema) ? { ...schema, definitions: root.definitions } : schema, data).length === 0,
  rawValidation: (schema: RJSFSchema, data?: Values) => ({ errors: problemsOf(schema, data) as never }),
};
