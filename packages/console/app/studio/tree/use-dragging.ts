/** Dragging in the tree: blocks to another place, and block types from the palette into it. */
import { useState, type DragEvent } from 'react';
import { useAddBlock } from '../palette/use-add-block.js';
import { spotFor, type Place } from '../palette/places.js';
import { useStudio } from '../studio-context.js';
import { canMoveTo, withoutNested } from './selection.js';
import { useBlockActions } from './use-block-actions.js';

/** Where it would go: the block under the pointer, and where beside it. */
export interface Drop {
  readonly block: string;
  readonly place: Exclude<Place, 'fitting'>;
}

export interface Dragging {
  readonly drop: Drop | null;
  readonly onDragStart: (event: DragEvent<HTMLElement>) => void;
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void;
  readonly onDragLeave: (event: DragEvent<HTMLElement>) => void;
  readonly onDragEnd: () => void;
  readonly onDrop: (event: DragEvent<HTMLElement>) => void;
}

/** Of the height of a row: above it is before, below its counterpart after, between them inside. */
const EDGE = 0.3;

export function useDragging(): Dragging {
  const { blocks, types, chosen, dragged, isReadOnly } = useStudio();
  const { moveTo } = useBlockActions();
  const add = useAddBlock();
  const [drop, setDrop] = useState<Drop | null>(null);

  const dropAt = (event: DragEvent<HTMLElement>): Drop | null => {
    const [row, subject] = [rowOf(event), dragged.current];
    const block = blocks.byId.get(row?.dataset['block'] ?? '');
    if (row === null || block === undefined || subject === null || isReadOnly) return null;
    const { top, height } = row.getBoundingClientRect();
    const share = (event.clientY - top) / height;
    const isRoot = block.parent === null;
    const takesBlocks = isRoot || types.get(block.type)?.children !== 'none';
    const beside = share < (takesBlocks ? EDGE : 0.5) ? 'before' : 'after';
    const isInside = takesBlocks && (isRoot || (share >= EDGE && share <= 1 - EDGE));
    const place = isInside ? 'inside' : beside;
    const parent = place === 'inside' ? block.id : (block.parent ?? block.id);
    if ('blocks' in subject && !canMoveTo(withoutNested(new Set(subject.blocks), blocks), parent, blocks)) return null;
    return { block: block.id, place };
  };
  return {
    drop,
    onDragStart: (event) => {
      const id = rowOf(event)?.dataset['block'];
      if (id === undefined) return;
      // A block that is not selected is dragged alone.
      const ids = chosen.has(id) ? [...chosen] : [id];
      dragged.current = { blocks: ids };
      event.dataTransfer.effectAllowed = 'move';
      const sources = withoutNested(new Set(ids), blocks).map(({ source }) => source);
      event.dataTransfer.setData('text/plain', JSON.stringify(sources.length === 1 ? sources[0] : sources, null, 2));
    },
    onDragOver: (event) => {
      const next = dropAt(event);
      if (next !== null) event.preventDefault();
      if (next?.block !== drop?.block || next?.place !== drop?.place) setDrop(next);
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setDrop(null);
    },
    onDragEnd: () => {
      dragged.current = null;
      setDrop(null);
    },
    onDrop: (event) => {
      const [to, subject] = [dropAt(event), dragged.current];
      const at = blocks.byId.get(to?.block ?? '');
      dragged.current = null;
      setDrop(null);
      if (to === null || at === undefined || subject === null) return;
      event.preventDefault();
      const type = 'type' in subject ? types.get(subject.type) : undefined;
      const spot = spotFor(to.place, type, at, blocks, types);
      if ('blocks' in subject) moveTo(subject.blocks, spot);
      else if (type !== undefined) add(type, spot);
    },
  };
}

const rowOf = ({ target }: DragEvent): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-block]') : null;
