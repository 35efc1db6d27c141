/** Adds a block of a type to the draft, and selects it. */
import { permissionsOf } from '../draft/blocks.js';
import { newBlock, type BlockType } from '../draft/operations.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import type { Spot } from './places.js';

export function useAddBlock(): (type: BlockType, spot: Spot) => void {
  const { blocks, selected, edit, say, selectAdded } = useStudio();
  return (type, { parent, index }) => {
    const around = blocks.byId.get(parent) ?? selected;
    const block = newBlock(type, blocks.tags, permissionsOf(around.source));
    void (async () => {
      if (!(await edit([{ op: 'addBlock', parent, index, block }]))) return;
      say(studioTexts.announcements.added(block.tag));
      selectAdded(block.tag);
    })();
  };
}
