/** `interfaceContainerBlock`: shows its children, side by side or as tabs. */
import { defineBlock } from '../block-api/index.js';
import { heading } from '../block-kit/index.js';
import { childSlots } from './child-slots.js';

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
