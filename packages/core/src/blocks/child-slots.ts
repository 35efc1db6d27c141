/** How containers list their children (reference engine, section 4.1). */
import type { Json } from '../records/index.js';
import type { BlockHandle, ReadContext } from '../block-api/index.js';

/**
 * One slot per child, in policy order, since clients count positions: the child if it is shown by default and open to
 * the user, otherwise `null`.
 */
export const childSlots = (ctx: ReadContext): Promise<Json[]> => Promise.all(ctx.children.map(slotOf));

async function slotOf(child: BlockHandle): Promise<Json> {
  const { block } = child;
  if (!block.defaultActive || (await child.availability()).outcome !== 'allowed') return null;
  return { uiMetaData: block.uiMetaData, content: block.blockType, blockType: block.blockType, id: block.uuid };
}
