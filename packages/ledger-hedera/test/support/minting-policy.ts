/** A policy of one block, each send to which publishes a message and mints in its name. */
import { defineBlock } from '@blockwork/core/block';
import { z } from 'zod';

export const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

/** Ids of the book. */
export const TOKEN = '0.0.77';
const ACCOUNT = '0.0.88';

export const mintingBlock = defineBlock({
  type: 'mintingBlock',
  title: 'Minting',
  description: '',
  kind: 'interface',
  input: z.object({}),
  async receive(ctx) {
    const document = { id: 'urn:uuid:1', issuer: registry.did };
    const { id } = await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner: registry.did, document });
    await ctx.ledger.mint(TOKEN, ACCOUNT, 125n, id);
  },
});

export const mintingPolicy = {
  name: 'Credits',
  config: { blockType: 'mintingBlock', tag: 'mint', permissions: ['ANY_ROLE'] },
  tokens: [{ tokenId: TOKEN, tokenName: 'Credit', tokenSymbol: 'CR', tokenType: 'fungible', decimals: '2' }],
};
