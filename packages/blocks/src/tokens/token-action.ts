/** `tokenActionBlock`: changes what an account may do with a token (reference engine, section 7.23). */
import { RUN, type Block, type BlockEvent, type BlockNode, type Finding, type RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import { documentsIn } from '../common/event-documents.js';
import { passOn } from '../common/standard-outputs.js';
import { asFindings } from './token-findings.js';
import { accountFor, tokenFor } from './token-in-question.js';
import { accountChoice, choiceFaults, tokenChoice } from './token-options.js';

const options = z.object({
  ...tokenChoice,
  ...accountChoice,
  action: z.enum(['associate', 'dissociate', 'freeze', 'unfreeze', 'grantKyc', 'revokeKyc']),
});
type Options = z.infer<typeof options>;

export class TokenAction implements Block<Options> {
  readonly about = {
    type: 'tokenActionBlock',
    title: 'Token action',
    description: 'Associates, freezes or clears the account of a document with a token, or takes that back.',
    kind: 'server',
    children: 'none',
  } as const;
  readonly options = options;

  check(node: BlockNode, written: Options): Finding[] {
    return asFindings(node, choiceFaults(written));
  }

  readonly on = {
    /** What is so already is left alone, and the run goes on. Several documents: each account once. */
    [RUN]: async (ctx: RunContext<Options>, { data }: BlockEvent): Promise<void> => {
      const documents = documentsIn(data);
      if (documents.length === 0) return ctx.fail('DOCUMENT_MISSING');
      const done = new Set<string>();
      for (const document of documents) {
        const token = await tokenFor(ctx, ctx.options, document);
        const account = await accountFor(ctx, ctx.options, document);
        if (!done.has(`${token.id}/${account}`)) await ctx.ledger[ctx.options.action](token.id, account);
        done.add(`${token.id}/${account}`);
      }
      passOn(ctx, data);
    },
  };
}
