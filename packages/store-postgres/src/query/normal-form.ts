/** Negation normal form: `not` is pushed inwards to the comparisons. */
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

/** `ne` and `nin` are negated `eq` and `in`; the others are their own base operator. */
const opposites: Readonly<Partial<Record<Comparison['op'], 'eq' | 'in'>>> = { eq: 'eq', ne: 'eq', in: 'in', nin: 'in' };
