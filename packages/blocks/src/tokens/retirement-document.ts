/** `retirementDocumentBlock`: burns tokens of an account, and publishes evidence of it (reference, section 10). */
import {
  amountOf,
  defineBlock,
  isoNow,
  passOn,
  tolerant,
  unitsOf,
  type BlockType,
  type DocumentInput,
  type LedgerToken,
  type RunContext,
  type SerialRange,
} from '@blockwork/core/block';
import { z } from 'zod';
import { fieldReferences, FormulaRunner, type FormulaBlockOptions } from '../formulas/index.js';
import { sumOf } from './amount-of.js';
import { giveEvidence } from './evidence.js';
import { formulasIn, serialsOf, serialsProblem } from './serial-numbers.js';
import { asFindings, ruleFaults, type OptionFault } from './token-findings.js';
import { oneAccountFor, tokenFor } from './token-in-question.js';
import { accountChoice, choiceFaults, rule, tokenChoice, tokenReferences } from './token-options.js';
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
        const subject = { type: 'WipeToken', date: isoNow(ctx.clock), tokenId: token.id, amount };
        const deed = { type: 'retirement', subject, documents, additional: [], impacts: [] };
        const presentation = await giveEvidence(ctx, deed);
        const memo = `${presentation.messageId ?? ''} ${ctx.options.memo}`.trim();
        await (serials === null
          ? ctx.ledger.wipe(token.id, account, units, memo)
          : ctx.ledger.wipeSerials(token.id, account, serials, memo));
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
