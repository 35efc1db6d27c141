/** A block that takes votes, and the policy around it. */
import type { Json } from '@blockwork/core';
import type { Block, RunContext } from '@blockwork/core/block';
import { z } from 'zod';

interface Vote {
  vote: string;
}

export class Ballot implements Block<unknown, Vote> {
  readonly about = {
    type: 'ballot',
    title: 'Ballot',
    description: 'Takes votes.',
    kind: 'interface',
    children: 'none',
  } as const;
  readonly options = z.object({});
  readonly input = z.object({ vote: z.string() });

  async receive(ctx: RunContext, { vote }: Vote): Promise<Json> {
    await ctx.documents.add({ owner: ctx.user.did, type: 'vote', document: { vote } });
    return { counted: vote };
  }
}

export const policy = {
  id: 'votes',
  name: 'Votes',
  config: { blockType: 'ballot', tag: 'ballot', permissions: ['ANY_ROLE'] },
};
