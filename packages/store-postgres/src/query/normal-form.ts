/** Conditions without `not`: it is moved inwards until it stands before a comparison. */
import type { Comparison, Condition } from '@blockwork/core/adapter';

export type NormalForm =
  | { readonly every: readonly NormalForm[] }
  | { readonly some: readonly NormalForm[] }
  | { readonly comparison: Comparison; readonly isNegated: boolean };

export function normalForm(condition: Condition, isNegated = false): NormalForm {
  if ('not' in condition) return normalForm(condition.not, !isNegated);
  if ('all' in condition || 'any' in condition) {
    const parts = ('all' in condition ? condition.all : condition.any).map((part) => normalForm(part, isNegated));
    return 'all' in condition === isNegated ? { some: parts } : { every: parts };
  }
  const opposite = opposites[condition.op];
  if (opposite === undefined) return { comparison: condition, isNegated };
  return {
    comparison: { ...condition, op: opposite } as Comparison,
    isNegated: condition.op.startsWith('n') !== isNegated,
  };
}

/** `ne` and `nin` are `eq` and `in`, negated; so is each of them of itself, twice. */
const opposites: Readonly<Partial<Record<Comparison['op'], 'eq' | 'in'>>> = { eq: 'eq', ne: 'eq', in: 'in', nin: 'in' };
