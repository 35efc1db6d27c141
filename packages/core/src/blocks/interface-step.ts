/** `interfaceStepBlock`: shows one child at a time and remembers each user's current one. */
import { z } from 'zod';
import { defineBlock, REFRESH, RELEASE, type ReadContext, type RunContext } from '../block-api/index.js';
import { heading, tolerant } from '../block-kit/index.js';
import { childSlots } from './child-slots.js';

const options = z.object({
  /** Start over when the last child or one of the final ones is done. */
  cyclic: tolerant.flag,
  /** Tags of children that end a round. */
  finalBlocks: tolerant.names,
});
const stepState = z.object({ index: z.number().int().min(0) });

export const interfaceStepBlock = defineBlock({
  type: 'interfaceStepBlock',
  title: 'Step',
  description: 'Holds blocks that a user goes through one after another.',
  kind: 'container',
  children: 'any',
  inputs: [RELEASE],
  pure: true,
  options,

  async read(ctx) {
    return {
      ...heading(ctx),
      uiMetaData: ctx.block.uiMetaData,
      index: await currentIndex(ctx),
      blocks: await childSlots(ctx),
    };
  },

  isOpen: async (ctx, child) => child.index === (await currentIndex(ctx)),

  /** The step follows the run: a user is at the child that last ran for them. */
  onChildRun: (ctx, child) => moveTo(ctx, child.index),

  on: {
    async [RELEASE](ctx, event) {
      const { cyclic, finalBlocks } = ctx.options;
      const child = ctx.block.children.find((candidate) => candidate.tag === event.source);
      const ends =
        child !== undefined && (child.index === ctx.block.children.length - 1 || finalBlocks.includes(child.tag));
      if (cyclic && ends) await moveTo(ctx, 0);
    },
  },
});

async function currentIndex(ctx: ReadContext): Promise<number> {
  const index = (await ctx.state.get(stepState))?.index ?? 0;
  return index < ctx.block.children.length ? index : 0;
}

async function moveTo(ctx: RunContext, index: number): Promise<void> {
  if ((await currentIndex(ctx)) === index) return;
  await ctx.state.set({ index });
  ctx.emit(REFRESH);
}
