/** The filters of a report's item, and the condition they form with the variables of earlier items. */
import { allOf, nothing, tolerant, type Condition, type Json } from '@blockwork/core/block';
import { z } from 'zod';

const { listed, text } = tolerant;

export const filterTypes = ['equal', 'not_equal', 'in', 'not_in'];
export const valueTypes = ['value', 'variable'];

/** Values by name; `reportVariables` gives those that every report begins with. */
export type Variables = Readonly<Record<string, Json>>;

export const reportFilter = z.object({
  type: listed(...filterTypes),
  /** `value`: compare with `value` itself; `variable`: `value` names a variable. */
  typeValue: listed(...valueTypes),
  /** Path into the stored document, for instance `document.id`. */
  field: text,
  value: z.json().optional(),
});
export type ReportFilter = z.infer<typeof reportFilter>;

/** Credentials that meet all filters, without those of roles. No document meets a comparison with an unknown variable. */
export const conditionOf = (filters: readonly ReportFilter[], variables: Variables): Condition =>
  // Stores choose an index by the first condition, so the least selective one, the collection, comes last.
  allOf(
    ...filters.map((filter) => one(filter, variables)),
    { path: 'type', op: 'ne', value: 'user-role' },
    { path: 'dataType', op: 'eq', value: 'vc-documents' },
  );

function one(filter: ReportFilter, variables: Variables): Condition {
  const values = valuesOf(filter, variables);
  const { type, field: path } = filter;
  if (values === undefined) return nothing;
  const [only] = values;
  switch (type) {
    case 'equal':
    case 'in':
      return values.length === 1 && only !== undefined
        ? { path, op: 'eq', value: only }
        : { path, op: 'in', value: values };
    case 'not_equal':
    case 'not_in':
      return { path, op: 'nin', value: values };
    default:
      return nothing;
  }
}

/** A variable may hold a list; for every comparison, one matching element is enough. */
function valuesOf({ type, typeValue, value }: ReportFilter, variables: Variables): Json[] | undefined {
  if (typeValue === 'variable') {
    const variable = typeof value === 'string' && Object.hasOwn(variables, value) ? variables[value] : undefined;
    return variable === undefined ? undefined : Array.isArray(variable) ? variable : [variable];
  }
  if (typeValue !== 'value') return undefined;
  if (Array.isArray(value)) return value;
  const isList = (type === 'in' || type === 'not_in') && typeof value === 'string';
  return isList ? value.split(',').map((part) => part.trim()) : [value ?? ''];
}
