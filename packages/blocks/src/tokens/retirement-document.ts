/** `retirementDocumentBlock`: burns tokens of an account, and publishes evidence of it (reference, section 10). */
import {
  amountOf,
  type BlockType,
  BlockworkError,
  defineBlock,
  type DocumentInput,
  isoNow,
  type LedgerToken,
  passOn,
  type RunContext,
  type SerialRange,
  tolerant,
  unitsOf,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialsIn, subjectOf } from '../common/subject.js';
import { fieldReferences, type FormulaBlockOptions, formulaProblem, FormulaRunner } from '../formulas/index.js';
import { amountsOf, sumOf } from './amount-of.js';
import { giveEvidence } from './evidence.js';
import { oneAccountFor, tokenFor } from './token-in-question.js';
import {
  accountChoice,
  asFindings,
  choiceFaults,
  type OptionFault,
  rule,
  ruleFaults,
  tokenChoice,
  tokenReferences,
} from './token-options.js';
import { trustedDocuments, useUp } from './trusted-documents.js';

export function retirementDocumentBlock(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'retirementDocumentBlock');
  return defineBlock({
    type: 'retirementDocumentBlock',
    title: 'Retire',
    description: 'Burns tokens for documents by a rule, and publishes evidence of the retirement.',
    kind: 'server',
    options: z.strictObject({
      ...tokenChoice,
      ...accountChoice,
      rule,
      serialNumbersExpression: tolerant.text,
      memo: tolerant.text,
    }),
    references: (written) => [
      ...tokenReferences(written),
      ...fieldReferences(written.rule, '/rule'),
      { to: 'text', name: written.serialNumbersExpression, path: '/serialNumbersExpression' },
      ...formulasIn(written.serialNumbersExpression).flatMap((each) =>
        fieldReferences(each, '/serialNumbersExpression'),
      ),
    ],
    check: (node, written) => asFindings(node, [...choiceFaults(written), ...quantityFaults(written)]),
    on: {
      async RunEvent(ctx, { data }) {
        const documents = await trustedDocuments(ctx, data);
        await useUp(ctx, documents);
        const token = await tokenFor(ctx, ctx.options, documents[0]);
        const account = await oneAccountFor(ctx, ctx.options, documents);
        const serials = await serialsFor(formulas, ctx, token, documents);
        const units =
          serials === null
            ? unitsOf(await sumOf(formulas, ctx, ctx.options.rule, documents), token.decimals)
            : serials.reduce((sum, [first, last]) => sum + BigInt(last - first + 1), 0n);
        const amount = amountOf(units, token.decimals);
        const tokenId = await ctx.ledger.signedTokenId(token.id);
        const subject = { type: 'WipeToken', date: isoNow(ctx.clock), tokenId, amount };
        const deed = { type: 'retirement', subject, documents, additional: [], impacts: [] };
        const presentation = await giveEvidence(ctx, deed, async (messageId) => {
          const memo = `${messageId} ${ctx.options.memo}`.trim();
          await (serials === null
            ? ctx.ledger.wipe(token.id, account, units, memo)
            : ctx.ledger.wipeSerials(token.id, account, serials, memo));
          return {};
        });
        passOn(ctx, data, await ctx.users.actor('owner', data), presentation);
      },
    },
  });
}

interface Quantity {
  readonly rule: string;
  readonly serialNumbersExpression: string;
}

/** Either serials or an amount: without serials, a rule is required. */
function quantityFaults({ rule: written, serialNumbersExpression: serials }: Quantity): OptionFault[] {
  const problem = serials === '' ? null : serialsProblem(serials);
  return [
    ...(written === '' && serials !== '' ? [] : ruleFaults('rule', written)),
    ...(problem === null ? [] : [{ option: 'serialNumbersExpression', reason: problem }]),
  ];
}

/** `null` if the rule determines the amount, as always for a fungible token. */
async function serialsFor(
  formulas: FormulaRunner,
  ctx: RunContext<Quantity>,
  { tokenType }: LedgerToken,
  documents: readonly DocumentInput[],
): Promise<SerialRange[] | null> {
  const { serialNumbersExpression: expression } = ctx.options;
  return tokenType === 'fungible' || expression === '' ? null : serialsOf(formulas, ctx, expression, documents);
}

/** Maximum number of terms in one expression. */
const TERMS_AT_MOST = 1_000;

/** The formulas of each term: one, or the ends of a range. A minus is always the sign between two ends. */
const termsOf = (expression: string): string[][] =>
  expression
    .split(',')
    .map((term) => term.split('-').map((end) => end.trim()))
    .filter((ends) => ends.some((end) => end !== ''));

/** The author's mistake, or `null`. */
function serialsProblem(expression: string): string | null {
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
const formulasIn = (expression: string): string[] => termsOf(expression).flat();

/** Of all documents together, in ascending order, each serial once. Throws `AMOUNT_INVALID` and `FORMULA_STOPPED`. */
async function serialsOf(
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
