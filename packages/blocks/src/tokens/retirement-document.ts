/** `retirementDocumentBlock`: destroys tokens that an account holds, and gives evidence of it (reference, section 10). */
import { amountOf, defineBlock, isoNow, passOn, tolerant, unitsOf, type BlockType } from '@blockwork/core/block';
import { z } from 'zod';
import { fieldReferences, FormulaRunner, type FormulaBlockOptions } from '../formulas/index.js';
import { sumOf } from './amount-of.js';
import { giveEvidence } from './evidence.js';
import { asFindings, ruleFaults } from './token-findings.js';
import { oneAccountFor, tokenFor } from './token-in-question.js';
import { accountChoice, choiceFaults, rule, tokenChoice, tokenReferences } from './token-options.js';
import { trustedDocuments, useUp } from './trusted-documents.js';

export function retirementDocumentBlock(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'retirementDocumentBlock');
  return defineBlock({
    type: 'retirementDocumentBlock',
    title: 'Retire',
    description: 'Destroys tokens for documents by a rule, and publishes what they were retired for.',
    kind: 'server',
    options: z.object({ ...tokenChoice, ...accountChoice, rule, memo: tolerant.text }),
    references: (written) => [...tokenReferences(written), ...fieldReferences(written.rule, '/rule')],
    check: (node, written) => asFindings(node, [...choiceFaults(written), ...ruleFaults('rule', written.rule)]),
    on: {
      async RunEvent(ctx, { data }) {
        const documents = await trustedDocuments(ctx, data);
        await useUp(ctx, documents);
        const token = await tokenFor(ctx, ctx.options, documents[0]);
        const account = await oneAccountFor(ctx, ctx.options, documents);
        const units = unitsOf(await sumOf(formulas, ctx, ctx.options.rule, documents), token.decimals);
        const amount = amountOf(units, token.decimals);
        const subject = { type: 'WipeToken', date: isoNow(ctx.clock), tokenId: token.id, amount };
        const deed = { type: 'retirement', subject, documents, additional: [], impacts: [] };
        const presentation = await giveEvidence(ctx, deed);
        await ctx.ledger.wipe(token.id, account, units, `${presentation.messageId ?? ''} ${ctx.options.memo}`.trim());
        passOn(ctx, data, await ctx.users.actor('owner', data), presentation);
      },
    },
  });
}
