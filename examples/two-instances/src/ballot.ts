/** A block that accepts votes, and the policy around it. */
import { defineBlock } from '@blockwork/core/block';
import { z } from 'zod';

export const ballot = defineBlock({
  type: 'ballot',
  title: 'Ballot',
  description: 'Takes votes.',
  kind: 'interface',
  input: z.object({ vote: z.string() }),
  async receive(ctx, { vote }) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'vote', document: { vote } });
    return { counted: vote };
  },
});

export const policy = {
  id: 'votes',
  name: 'Votes',
  config: { blockType: 'ballot', tag: 'ballot', permissions: ['ANY_ROLE'] },
};
