/** The list of the interface blocks. */
import { z } from 'zod';
import {
  type BlockType,
  defineBlock,
  type ReadContext,
  REFRESH,
  RELEASE,
  type RunContext,
} from '../block-api/index.js';
import { heading, tolerant } from '../block-kit/index.js';
import { hintAt, meantBy } from '../options/index.js';
import { finding } from '../policy/index.js';
import { childSlots } from './child-slots.js';
import { documentsSourceAddon } from './documents-source-addon.js';
import { filtersAddon } from './filters-addon.js';
import { historyAddon } from './history-addon.js';
import { interfaceDocumentsSourceBlock } from './interface-documents-source.js';
import { moduleBlock } from './module.js';
import { optionTexts } from './option-texts.js';
import { paginationAddon, type PaginationLimits } from './pagination-addon.js';
import { policyRolesBlock } from './policy-roles.js';
import { toolBlock } from './tool.js';

/** All of them, ready to register. */
export const interfaceBlocks = (limits: PaginationLimits): BlockType[] =>
  [
    interfaceContainerBlock,
    interfaceStepBlock,
    policyRolesBlock,
    interfaceDocumentsSourceBlock,
    documentsSourceAddon,
    filtersAddon,
    paginationAddon(limits),
    historyAddon,
    informationBlock,
    moduleBlock,
    toolBlock,
  ].map((type) => ({ optionTexts: optionTexts[type.type] ?? {}, ...type }));

export const informationBlock = defineBlock({
  type: 'informationBlock',
  title: 'Information',
  description: 'Shows a text, or that something is under way.',
  kind: 'interface',
  pure: true,
  read: (ctx) => ({ ...heading(ctx), uiMetaData: ctx.block.uiMetaData }),
});

export const interfaceContainerBlock = defineBlock({
  type: 'interfaceContainerBlock',
  title: 'Container',
  description: 'Holds other blocks and shows those that are open to the user.',
  kind: 'container',
  children: 'any',
  pure: true,
  async read(ctx) {
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, blocks: await childSlots(ctx) };
  },
});

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

  check: (node, { finalBlocks }) => {
    const tags = node.children.map(({ tag }) => tag);
    return finalBlocks.flatMap((tag, index) => {
      if (tags.includes(tag)) return [];
      const meant = meantBy(tag, tags);
      const message = `"${node.tag}" ends a round at "${tag}", which is no child of it${hintAt(meant)}.`;
      const path = `/finalBlocks/${String(index)}`;
      return [finding(node, { severity: 'warning', code: 'REFERENCE_UNKNOWN', message, path, meant })];
    });
  },

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
