/** `informationBlock`: shows the user a message, often that they have to wait. */
import { defineBlock } from '../block-api/index.js';
import { heading } from '../block-kit/index.js';

export const informationBlock = defineBlock({
  type: 'informationBlock',
  title: 'Information',
  description: 'Shows a text, or that something is under way.',
  kind: 'interface',
  pure: true,
  read: (ctx) => ({ ...heading(ctx), uiMetaData: ctx.block.uiMetaData }),
});
