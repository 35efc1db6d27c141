/** Tests of one field of a document, used by button filters and validators. */
import { nothing, tolerant, valueAt, type Condition, type Json } from '@blockwork/core/block';
import { z } from 'zod';

export const fieldTest = z.strictObject({
  /** `equal`, `not_equal`, `in` or `not_in`; any other never passes. */
  type: tolerant.word('equal', 'not_equal', 'in', 'not_in'),
  /** Path into the document record, for instance `option.status`. */
  field: tolerant.text,
  /** For `in` and `not_in`: a list, or values joined by commas. */
  value: z.json().nullish(),
});
export type FieldTest = z.infer<typeof fieldTest>;

/** Policies write every value as text, so numbers and booleans match by their text. */
export function passes(record: unknown, { type, field, value }: FieldTest): boolean {
  const fieldValue = valueAt(record, field);
  switch (type) {
    case 'equal':
      return same(fieldValue, value);
    case 'not_equal':
      return !same(fieldValue, value);
    case 'in':
      return oneOf(fieldValue, value);
    case 'not_in':
      return !oneOf(fieldValue, value);
    default:
      return false;
  }
}

/** The test as a store condition. There, too, a list equals any value that it contains. */
export function conditionOf({ type, field, value }: FieldTest): Condition {
  switch (type) {
    case 'equal':
      return { path: field, op: 'in', value: forms(value) };
    case 'not_equal':
      return { path: field, op: 'nin', value: forms(value) };
    case 'in':
      return { path: field, op: 'in', value: wantedOf(value).flatMap(formsInList) };
    case 'not_in':
      return { path: field, op: 'nin', value: wantedOf(value).flatMap(formsInList) };
    default:
      return nothing;
  }
}

/** Holds if the field has none of the values, so no choice has been made yet. */
export const undecided = (field: string, values: readonly (Json | undefined)[]): Condition => ({
  path: field,
  op: 'nin',
  value: values.flatMap(forms),
});

/** All JSON values with this text. */
function forms(value: Json | undefined): Json[] {
  if (value === undefined || value === null) return [null];
  const text = asText(value);
  if (text === undefined) return [];
  if (typeof value !== 'string') return [value, text];
  const other = value === 'true' || value === 'false' ? value === 'true' : Number(value);
  return String(other) === value ? [value, other] : [value];
}

const formsInList = (value: Json | undefined): Json[] =>
  typeof value === 'string' ? [...forms(value), ...forms(value.trim())] : forms(value);

const wantedOf = (value: Json | undefined): readonly (Json | undefined)[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];

/** In a list, one matching element is enough. */
function oneOf(actual: unknown, value: Json | undefined): boolean {
  const wanted = wantedOf(value);
  const values: readonly unknown[] = Array.isArray(actual) ? actual : [actual];
  return values.some((each) =>
    wanted.some((one) => same(each, one) || (typeof one === 'string' && same(each, one.trim()))),
  );
}

function same(actual: unknown, value: Json | undefined): boolean {
  if (actual === undefined || actual === null) return value === undefined || value === null;
  const [one, other] = [asText(actual), asText(value)];
  return one !== undefined && one === other;
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
