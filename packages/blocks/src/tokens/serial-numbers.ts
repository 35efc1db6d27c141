/** Serial numbers in the form `1,2,5-8,field`, where each number is a formula over a document. */
import { BlockworkError } from '@blockwork/core/block';
import type { DocumentInput, SerialRange } from '@blockwork/core/block';
import { formulaProblem, type FormulaRunner } from '../formulas/index.js';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { amountsOf } from './amount-of.js';

/** Maximum number of terms in one expression. */
const TERMS_AT_MOST = 1_000;

/** The formulas of each term: one, or the ends of a range. A minus is always the sign between two ends. */
const termsOf = (expression: string): string[][] =>
  expression
    .split(',')
    .map((term) => term.split('-').map((end) => end.trim()))
    .filter((ends) => ends.some((end) => end !== ''));

/** The author's mistake, or `null`. */
export function serialsProblem(expression: string): string | null {
  const terms = termsOf(expression);
  if (terms.length > TERMS_AT_MOST) return `it has more than ${String(TERMS_AT_MOST)} numbers and ranges`;
  const ends = terms.find((term) => term.length > 2 || term.includes(''));
  if (ends !== undefined) return `"${ends.join('-')}" is neither a number nor a range such as 5-8`;
  return (
    terms
      .flat()
      .map(formulaProblem)
      .find((problem) => problem !== null) ?? null
  );
}

/** The formulas as one, so that the fields that they name are found. */
export const formulasIn = (expression: string): string[] => termsOf(expression).flat();

/** Of all documents together, in ascending order, each serial once. Throws `AMOUNT_INVALID` and `FORMULA_STOPPED`. */
export async function serialsOf(
  formulas: FormulaRunner,
  ctx: Parameters<FormulaRunner['amounts']>[0],
  expression: string,
  documents: readonly DocumentInput[],
): Promise<SerialRange[]> {
  const subjects = documents.flatMap(({ document }) => credentialsIn(document)).map((each) => subjectOf(each) ?? {});
  const ranges: SerialRange[] = [];
  for (const [from = '', to = from] of termsOf(expression)) {
    const first = await amountsOf(formulas, ctx, from, subjects);
    const last = to === from ? first : await amountsOf(formulas, ctx, to, subjects);
    for (const [at, text] of first.entries()) ranges.push(rangeOf(text, last[at] ?? text));
  }
  if (ranges.length === 0) throw invalid(expression, 'it names no serial number');
  return merged(ranges);
}

function rangeOf(from: string, to: string): SerialRange {
  const [first, last] = [serialIn(from), serialIn(to)];
  if (last < first) throw invalid(`${from}-${to}`, 'the end of a range must not be before its start');
  return [first, last];
}

function serialIn(text: string): number {
  const serial = Number(text);
  if (!Number.isSafeInteger(serial)) throw invalid(text, 'serial numbers are whole numbers');
  if (serial < 1) throw invalid(text, 'serial numbers begin with 1');
  return serial;
}

function merged(ranges: readonly SerialRange[]): SerialRange[] {
  const result: SerialRange[] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before === undefined || first > before[1] + 1) result.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return result;
}

const invalid = (amount: string, reason: string): BlockworkError =>
  new BlockworkError('AMOUNT_INVALID', {
    facts: { amount: amount.slice(0, 200), reason: `which cannot be: ${reason}` },
  });
