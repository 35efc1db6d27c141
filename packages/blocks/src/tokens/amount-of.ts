/** How much: a rule, worked out exactly for each document and added up (reference engine, section 7.15). */
import { BlockworkError } from '@blockwork/core';
import type { DocumentInput } from '@blockwork/core/block';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { amount, decimal, FormulaError } from '../formulas/index.js';

/** Decimal text without an exponent. Throws `AMOUNT_INVALID` where a document gives no number. */
export function sumOf(rule: string, documents: readonly DocumentInput[]): string {
  const credentials = documents.flatMap(({ document }) => credentialsIn(document));
  try {
    return credentials
      .map((credential) => amount(rule, subjectOf(credential) ?? {}))
      .reduce((sum, each) => sum.plus(each), decimal(0))
      .toFixed();
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    throw new BlockworkError('AMOUNT_INVALID', {
      facts: { amount: 'no number', reason: `which cannot be: ${error.message}` },
      cause: error,
    });
  }
}
