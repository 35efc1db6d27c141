/** `tokenActionBlock`: changes an account's relation to a token (reference engine, section 7.23). */
import { defineBlock, documentsIn, passOn, tolerant } from '@blockwork/core/block';
import { z } from 'zod';
import { accountFor, tokenFor } from './token-in-question.js';
import { accountChoice, asFindings, choiceFaults, tokenChoice, tokenReferences } from './token-options.js';

export const tokenActionBlock = defineBlock({
  type: 'tokenActionBlock',
  title: 'Token action',
  description: "Associates a document's account with a token, freezes it or grants it KYC, or reverses that.",
  kind: 'server',
  options: z.strictObject({
    ...tokenChoice,
    ...accountChoice,
    action: z.enum(['associate', 'dissociate', 'freeze', 'unfreeze', 'grantKyc', 'revokeKyc']),
    /** Left by editors. */
    options: tolerant.unused,
  }),
  references: tokenReferences,
  check: (node, written) => asFindings(node, choiceFaults(written)),
  on: {
    /** Accounts already in the requested state are skipped. With several documents, each account is handled once. */
    async RunEvent(ctx, { data }) {
      const documents = documentsIn(data);
      if (documents.length === 0) return ctx.fail('DOCUMENT_MISSING');
      const done = new Set<string>();
      for (const document of documents) {
        await ctx.budget.giveWay();
        const token = await tokenFor(ctx, ctx.options, document);
        const account = await accountFor(ctx, ctx.options, document);
        if (!done.has(`${token.id}/${account}`)) await ctx.ledger[ctx.options.action](token.id, account);
        done.add(`${token.id}/${account}`);
      }
      passOn(ctx, data);
    },
  },
});
