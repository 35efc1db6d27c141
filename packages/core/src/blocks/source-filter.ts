/** One entry of a document source's `filters`, and its condition. */
import { z } from 'zod';
import { tolerant } from '../block-kit/index.js';
import type { Condition, Json } from '../records/index.js';
import { equalTo, everything } from '../records/index.js';

const { unused } = tolerant;

export const sourceFilter = z.strictObject({
  type: z.enum(['equal', 'not_equal', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'user_defined']),
  /** Path into the stored document, for instance `option.status`. */
  field: z.string(),
  /** For `in` and `not_in`: a list, or values joined by commas. */
  value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]).optional(),
  /** Labels that editors write. */
  title: unused,
  name: unused,
  tooltip: unused,
});
export type SourceFilter = z.infer<typeof sourceFilter>;

/** All filters of a source apply together, including those on the same field. */
export function toCondition(
  { type, field: path, value = '' }: SourceFilter,
  query: Readonly<Record<string, string>>,
): Condition {
  switch (type) {
    case 'equal':
      return equalTo(path, value);
    case 'not_equal':
      return { path, op: 'ne', value };
    case 'in':
      return { path, op: 'in', value: listOf(value) };
    case 'not_in':
      return { path, op: 'nin', value: listOf(value) };
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { path, op: type, value: quantityOf(value) };
    case 'user_defined': {
      const wanted = Object.hasOwn(query, path) ? query[path] : undefined;
      return wanted === undefined ? everything : eitherForm(path, wanted);
    }
  }
}

/** Clients send text; documents hold strings, numbers and booleans. A value that reads as another type matches both. */
export function eitherForm(path: string, value: string | number | boolean): Condition {
  const other = otherForm(value);
  return other === null ? equalTo(path, value) : { path, op: 'in', value: [value, other] };
}

function otherForm(value: string | number | boolean): Json {
  if (typeof value !== 'string') return String(value);
  return value === 'true' || value === 'false' ? value === 'true' : numberIn(value);
}

/** Only a string may encode a list; a number is compared as a number. */
function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value];
}

/** Policies write bounds as text; numeric text is compared as a number. */
const quantityOf = (value: Json): Json => (typeof value === 'string' ? (numberIn(value) ?? value) : value);

function numberIn(text: string): number | null {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
