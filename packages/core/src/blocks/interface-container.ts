/** `interfaceContainerBlock`: shows its children, side by side or as tabs. */
import { z } from 'zod';
import type { JsonObject } from '../records/index.js';
import type { Block, ReadContext } from '../block-api/index.js';
import { childSlots } from './child-slots.js';
import { heading } from '../block-kit/index.js';

export class InterfaceContainer implements Block {
  readonly about = {
    type: 'interfaceContainerBlock',
    title: 'Container',
    description: 'Holds other blocks and shows those that are open to the user.',
    kind: 'container',
    children: 'any',
  } as const;
  readonly pure = true;
  readonly options = z.object({});

  async read(ctx: ReadContext): Promise<JsonObject> {
    return { ...heading(ctx), uiMetaData: ctx.block.uiMetaData, blocks: await childSlots(ctx) };
  }
}
