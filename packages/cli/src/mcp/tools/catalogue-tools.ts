/** Tools that tell what policies can be made of. */
import { z } from 'zod';
import { exitCodes } from '../../line/exit-codes.js';
import { CommandError } from '../../line/failure.js';
import { offset } from './inputs.js';
import { pageFrom } from './pages.js';
import { reads, tool } from './tool.js';

const listBlockTypes = tool({
  name: 'list_block_types',
  title: 'List block types',
  description:
    'Lists the block types that policies are made of: type, kind, title and what it does. See describe_block_type for the options of one.',
  input: z.strictObject({
    search: z.string().max(200).optional().describe('Only those in whose type, title or description it occurs.'),
    offset,
  }),
  hints: reads,
  run: async ({ search = '', offset: from }, { workspace }) => {
    const { data } = await workspace.client.routes.listBlockTypes();
    const words = search.toLowerCase();
    const types = data.map(({ type, kind, title, description }) => ({ type, kind, title, description }));
    const matching = types.filter((each) => Object.values(each).some((text) => text.toLowerCase().includes(words)));
    return pageFrom(matching, from);
  },
});

const describeBlockType = tool({
  name: 'describe_block_type',
  title: 'Describe a block type',
  description:
    'Describes a block type: its options as JSON Schema, its inputs and outputs, and which blocks it may have as parents and children.',
  input: z.strictObject({ type: z.string().min(1).max(200).describe('Such as "requestVcDocumentBlock".') }),
  hints: reads,
  narrower: 'Read the page blockwork://blocks/<type> instead.',
  run: async ({ type }, { workspace }) => {
    const { data } = await workspace.client.routes.listBlockTypes();
    const description = data.find((each) => each.type === type);
    if (description !== undefined) return description;
    const near = data.map((each) => each.type).filter((each) => each.toLowerCase().includes(type.toLowerCase()));
    const hint = near.length > 0 ? ` Did you mean ${near.slice(0, 5).join(', ')}?` : ' See list_block_types.';
    throw new CommandError(exitCodes.usage, `There is no block type "${type}".${hint}`, 'BLOCK_TYPE_UNKNOWN');
  },
});

const listTemplates = tool({
  name: 'list_templates',
  title: 'List templates',
  description: 'Lists the templates that create_policy can begin with.',
  input: z.strictObject({}),
  hints: reads,
  run: async (_, { workspace }) => (await workspace.client.routes.listTemplates()).data,
});

export const catalogueTools = [listBlockTypes, describeBlockType, listTemplates];
