/** Tests that a policy puts to one field of a document: what a button asks for before it shows, what a validator demands. */
import { tolerant, valueAt, type Json } from '@blockwork/core/block';
import { z } from 'zod';

export const fieldTest = z.object({
  /** `equal`, `not_equal`, `in` or `not_in`; any other never passes. */
  type: tolerant.text,
  /** Path into the document record, for instance `option.status`. */
  field: tolerant.text,
  /** For `in` and `not_in`: a list, or values joined by commas. */
  value: z.json().nullish(),
});
export type FieldTest = z.infer<typeof fieldTest>;

/** Policies write every value as text; a number or a flag in the document that reads the same is the same. */
export function passes(record: unknown, { type, field, value }: FieldTest): boolean {
  const found = valueAt(record, field);
  switch (type) {
    case 'equal':
      return same(found, value);
    case 'not_equal':
      return !same(found, value);
    case 'in':
      return oneOf(found, value);
    case 'not_in':
      return !oneOf(found, value);
    default:
      return false;
  }
}

/** Where the document has a list, one of its elements is enough. */
function oneOf(found: unknown, value: Json | undefined): boolean {
  const wanted = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  const given: readonly unknown[] = Array.isArray(found) ? found : [found];
  return given.some((each) =>
    wanted.some((one) => same(each, one) || (typeof one === 'string' && same(each, one.trim()))),
  );
}

function same(found: unknown, value: Json | undefined): boolean {
  if (found === undefined || found === null) return value === undefined || value === null;
  const [one, other] = [asText(found), asText(value)];
  return one !== undefined && one === other;
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
