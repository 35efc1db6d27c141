/** Computes an amount: a rule, evaluated exactly per document and summed (reference engine, section 7.15). */
import { BlockworkError, type DocumentInput, type JsonObject } from '@blockwork/core/block';
import { z } from 'zod';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { FormulaError, Real, real, type FormulaRunner } from '../formulas/index.js';

/** Rounding of amounts with more digits than the token has. */
export const roundMethod = z
  .enum(['', 'round', 'nearest', 'floor', 'ceil', 'ceiling'])
  .nullish()
  .transform((value): 'nearest' | 'floor' | 'ceiling' =>
    value === 'floor' ? 'floor' : value === 'ceil' || value === 'ceiling' ? 'ceiling' : 'nearest',
  );

/** Of decimal text; the nearest is left to the ledger, which rounds half up. */
export function rounded(exact: string, decimals: number, method: z.infer<typeof roundMethod>): string {
  if (method === 'nearest') return exact;
  const scale = real(`1e${String(decimals)}`);
  const units = Real.ofAmount(exact).times(scale);
  return (method === 'floor' ? units.floor() : units.ceil()).dividedBy(scale).toFixed();
}

type FormulaCaller = Parameters<FormulaRunner['amounts']>[0];

/**
 * Real text without an exponent. Throws `AMOUNT_INVALID` where a document gives no number, and `FORMULA_STOPPED` at the limits of a
 * thread.
 */
export async function sumOf(
  formulas: FormulaRunner,
  ctx: FormulaCaller,
  rule: string,
  documents: readonly DocumentInput[],
): Promise<string> {
  const subjects = documents.flatMap(({ document }) => credentialsIn(document)).map((each) => subjectOf(each) ?? {});
  const amounts = await amountsOf(formulas, ctx, rule, subjects);
  return amounts.reduce((sum, each) => sum.plus(Real.ofAmount(each)), real(0)).toFixed();
}

/** The amount of each subject separately. */
export async function amountsOf(
  formulas: FormulaRunner,
  ctx: FormulaCaller,
  rule: string,
  subjects: readonly JsonObject[],
): Promise<string[]> {
  try {
    return await formulas.amounts(ctx, rule, subjects);
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    throw new BlockworkError('AMOUNT_INVALID', {
      facts: { amount: 'no number', reason: `which cannot be: ${error.message}` },
      cause: error,
    });
  }
}
