/** Keywords of the engine's own in prepared schemas, which no schema of a policy can write. */
import type { Ajv, ErrorObject } from 'ajv';
import { isMultipleOf } from '../values/multiples.js';

/** Marks the values of own keywords. A schema of a policy comes from JSON, which has no instances of it. */
export class Own {
  constructor(readonly content: unknown) {}
}

/** Names of fields that must be there, and not be null or empty text. */
export const ANSWERED = 'answeredFields';
/** Names of fields that may not be there, and a message that says why: see `Forbidden`. */
export const FORBIDDEN = 'forbiddenFields';
/** As `multipleOf`, in decimal arithmetic. */
export const DECIMAL_MULTIPLE = 'decimalMultipleOf';

type Values = Readonly<Record<string, unknown>>;

export interface Forbidden {
  readonly names: readonly string[];
  readonly message: string;
}

export function addConditionKeywords(compiler: Ajv): void {
  const valueOf = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);
  compiler.addKeyword({
    keyword: ANSWERED,
    type: 'object',
    errors: true,
    compile: (names: readonly string[]) =>
      failing((values: Values) =>
        names
          .filter((name) => [undefined, null, ''].includes(valueOf(values, name) as null))
          .map((missingProperty) => ({ keyword: 'required', params: { missingProperty } })),
      ),
  });
  compiler.addKeyword({
    keyword: FORBIDDEN,
    type: 'object',
    errors: true,
    compile: ({ names, message }: Forbidden) =>
      failing((values: Values) =>
        names
          .filter((name) => valueOf(values, name) !== undefined)
          .map((property) => ({ keyword: FORBIDDEN, message, params: { property } })),
      ),
  });
  compiler.addKeyword({
    keyword: DECIMAL_MULTIPLE,
    type: 'number',
    errors: true,
    compile: (step: number) =>
      failing((value: number) =>
        isMultipleOf(value, step)
          ? []
          : [{ keyword: DECIMAL_MULTIPLE, message: `must be a multiple of ${String(step)}`, params: {} }],
      ),
  });
}

interface Check<Value> {
  (value: Value): boolean;
  errors?: Partial<ErrorObject>[];
}

/** The validator that has these errors. */
function failing<Value>(errorsOf: (value: Value) => Partial<ErrorObject>[]): Check<Value> {
  const check: Check<Value> = (value) => {
    check.errors = errorsOf(value);
    return check.errors.length === 0;
  };
  return check;
}
