/** `tokenConfirmationBlock`: holds a run until its user confirms what happens to their account (reference, section 7.32). */
import { defineBlock, documentsIn, heading, REFRESH, type RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import { accountFor, tokenFor } from './token-in-question.js';
import { accountChoice, asFindings, choiceFaults, tokenChoice, tokenReferences } from './token-options.js';

const options = z.strictObject({ ...tokenChoice, ...accountChoice, action: z.enum(['associate', 'dissociate']) });
type Options = z.infer<typeof options>;

const confirmation = z.object({
  /** `confirm`, or `skip` for a user who has done it elsewhere. */
  action: z.string(),
  /** The account's key, as a sign of consent; it is not kept. */
  hederaAccountKey: z.string().nullish(),
});

/** The data held until the user confirms. */
const pendingEntry = z.object({ accountId: z.string(), tokenId: z.string(), data: z.json() });
type Waiting = z.infer<typeof pendingEntry>;

export const tokenConfirmationBlock = defineBlock({
  type: 'tokenConfirmationBlock',
  title: 'Token confirmation',
  description: 'Asks the user to confirm associating their account with a token, or dissociating it.',
  kind: 'interface',
  outputs: ['Confirm'],
  pure: true,
  options,
  input: confirmation,
  references: tokenReferences,
  check: (node, written) => asFindings(node, choiceFaults(written)),

  async read(ctx) {
    const pendingState = await ctx.state.get(pendingEntry);
    const token = await ctx.ledger.token(pendingState?.tokenId ?? ctx.options.tokenId);
    return {
      ...heading(ctx),
      uiMetaData: ctx.block.uiMetaData,
      action: ctx.options.action,
      accountId: pendingState?.accountId ?? null,
      tokenId: token?.id ?? null,
      tokenName: token?.tokenName ?? null,
      tokenSymbol: token?.tokenSymbol ?? null,
    };
  },

  async receive(ctx, { action, hederaAccountKey }) {
    if (action !== 'confirm' && action !== 'skip') return refuse(ctx, '/action', `Invalid Action "${action}"`);
    const pendingState = await ctx.state.get(pendingEntry);
    if (pendingState === undefined) return ctx.fail('NOTHING_TO_CONFIRM');
    if (action === 'skip') await demandDone(ctx, pendingState);
    else if ((hederaAccountKey ?? '') === '') return refuse(ctx, '/hederaAccountKey', 'Key value is unknown');
    else await ctx.ledger[ctx.options.action](pendingState.tokenId, pendingState.accountId);
    await ctx.state.set(null);
    ctx.emit('Confirm', pendingState.data);
    ctx.emit(REFRESH, pendingState.data);
  },

  on: {
    /** The run ends here; `Confirm` starts the next one. */
    async RunEvent(ctx, { data }) {
      const [document] = documentsIn(data);
      if (document === undefined) return ctx.fail('DOCUMENT_MISSING');
      const { id: tokenId } = await tokenFor(ctx, ctx.options, document);
      await ctx.state.set({ accountId: await accountFor(ctx, ctx.options, document), tokenId, data });
    },
  },
});

async function demandDone(ctx: RunContext<Options>, { tokenId, accountId }: Waiting): Promise<void> {
  const { associated } = await ctx.ledger.relation(tokenId, accountId);
  if (associated === (ctx.options.action === 'associate')) return;
  const state = associated ? 'still' : 'not yet';
  ctx.fail('ASSOCIATION_UNCHANGED', { facts: { accountId, state, tokenId } });
}

const refuse = (ctx: RunContext<Options>, path: string, message: string): never =>
  ctx.fail('INPUT_INVALID', { facts: { reason: `${message}.` }, details: [{ path, message }] });
