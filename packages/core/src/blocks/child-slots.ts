/** How containers list their children (reference engine, section 4.1). */
import type { Json } from '../records/index.js';
import type { BlockHandle, ReadContext } from '../block-api/index.js';

/**
 * One slot for each child, in the order of the policy, since clients count positions: the child where it is
 * shown by default and open to the user, `null` otherwise.
 */
export const childSlots = (ctx: ReadContext): Promise<Json[]> => Promise.all(ctx.children.map(slotOf));

async function slotOf(child: BlockHandle): Promise<Json> {
  const { block } = child;
  if (!block.defaultActive || (await child.availability()).outcome !== 'allowed') return null;
  return { uiMetaData: block.uiMetaData, content: block.blockType, blockType: block.blockType, id: block.uuid };
}
