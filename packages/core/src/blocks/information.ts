/** `informationBlock`: tells the user something, often that there is nothing to do but wait. */
import { z } from 'zod';
import type { JsonObject } from '../records/index.js';
import type { Block, ReadContext } from '../block-api/index.js';
import { heading } from '../block-kit/index.js';

export class Information implements Block {
  readonly about = {
    type: 'informationBlock',
    title: 'Information',
    description: 'Shows a text, or that something is under way.',
    kind: 'interface',
    children: 'none',
  } as const;
  readonly pure = true;
  readonly options = z.object({});

  read(ctx: ReadContext): Promise<JsonObject> {
    return Promise.resolve({ ...heading(ctx), uiMetaData: ctx.block.uiMetaData });
  }
}
