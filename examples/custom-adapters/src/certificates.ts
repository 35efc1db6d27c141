/** A policy with a single block that mints a token for each reported megawatt hour, to exercise the store and the ledger. */
import { defineBlock, type LedgerWriter } from '@blockwork/core/block';
import { z } from 'zod';

const tokenReference = z.object({ tokenId: z.string() });

export const certificateBlock = defineBlock({
  type: 'certificateBlock',
  title: 'Certificates',
  description: 'Makes one certificate for each megawatt hour.',
  kind: 'interface',
  input: z.strictObject({ account: z.string(), megawattHours: z.number().int().positive() }),

  async receive(ctx, { account, megawattHours }) {
    const { tokenId } = (await ctx.state.get(tokenReference)) ?? (await newToken(ctx.ledger));
    await ctx.state.set({ tokenId });
    const { amount = '0' } = await ctx.ledger.mint(tokenId, account, BigInt(megawattHours));
    return { tokenId, amount };
  },
});

async function newToken(ledger: LedgerWriter): Promise<z.infer<typeof tokenReference>> {
  const token = {
    tokenName: 'Certificate',
    tokenSymbol: 'CERT',
    tokenType: 'fungible',
    decimals: 0,
    source: {},
  } as const;
  return { tokenId: (await ledger.createToken(token)).id };
}

export const policy = {
  name: 'Certificates',
  description: 'One certificate for each megawatt hour.',
  config: { blockType: 'certificateBlock', tag: 'certificates', permissions: ['ANY_ROLE'] },
};
