/** `tool`: a separately published part of a policy; its blocks are inserted when the policy is compiled. */
import { defineBlock } from '../block-api/index.js';
import { portedContainer } from './module.js';

export const toolBlock = defineBlock({
  type: 'tool',
  title: 'Tool',
  description: 'A part of a policy that is published by itself: the policy names it by its message and hash.',
  ...portedContainer,
  /** If the tool is missing, events end here and a warning is journaled. */
  onPort(ctx, event) {
    if (ctx.block.children.length > 0) {
      portedContainer.onPort(ctx, event);
      return;
    }
    ctx.warn(`The tool of "${ctx.block.tag}" is not here, so the event at "${event.input}" goes no further.`);
  },
});
