/** What is done to the selected blocks, by key or button: cut, copy, paste, delete and move. */
import type { KeyboardEvent } from 'react';
import { copyWithOwnTags, type EditOperation } from '../draft/operations.js';
import { spotFor, type Spot } from '../palette/places.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';
import { blocksIn, canMoveTo, movesTo, stepFrom, withoutNested, type Direction } from './selection.js';

const texts = studioTexts.announcements;

/** Where copied blocks are: the clipboard of an event, or the one of this page. */
type Clipboard = Pick<DataTransfer, 'getData' | 'setData'>;

/** Copied by a button: pages may not read the clipboard of the system without asking. */
let copied = '';
const ofPage: Clipboard = {
  getData: () => copied,
  setData: (_type, text) => {
    copied = text;
  },
};

export interface BlockActions {
  readonly cut: (clipboard?: Clipboard) => void;
  readonly copy: (clipboard?: Clipboard) => void;
  readonly paste: (clipboard?: Clipboard) => void;
  readonly remove: () => void;
  readonly move: (direction: Direction) => void;
  readonly canMove: (direction: Direction) => boolean;
  /** Moves the blocks that are dragged. */
  readonly moveTo: (ids: readonly string[], spot: Spot) => void;
  readonly canRemove: boolean;
  /** Whether the key did something. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

export function useBlockActions(): BlockActions {
  const { selected, chosen, choose, blocks, types, edit, say, select, selectAdded, isReadOnly } = useStudio();
  const meant = withoutNested(chosen, blocks);
  const name = meant.length === 1 ? selected.tag || selected.type : studioTexts.findings.blocks(meant.length);
  const canRemove = meant.every(({ parent }) => parent !== null);

  const apply = async (operations: readonly EditOperation[], announcement: string, next?: string): Promise<void> => {
    if (!(await edit(operations))) return;
    say(announcement);
    if (next !== undefined) select(next);
  };
  const copy = (clipboard: Clipboard = ofPage): void => {
    const sources = meant.map(({ source }) => source);
    const value = sources.length === 1 ? sources[0] : sources;
    clipboard.setData('text/plain', JSON.stringify(value, null, 2));
    ofPage.setData('text/plain', JSON.stringify(value));
    say(texts.copied(name));
  };
  const remove = (announcement = texts.removed(name)): void => {
    if (!canRemove || isReadOnly) return;
    const last = meant.at(-1);
    const siblings = [...blocks.byId.values()].filter(({ parent }) => parent === last?.parent);
    const left = siblings.filter(({ id }) => !chosen.has(id));
    const next = left.find(({ index }) => index > (last?.index ?? 0)) ?? left.at(-1);
    const operations = meant.map(({ id }) => ({ op: 'removeBlock', block: id }) as const);
    void apply(operations, announcement, next?.id ?? last?.parent ?? blocks.root);
  };
  const moveTo = (ids: readonly string[], spot: Spot): void => {
    const moved = withoutNested(new Set(ids), blocks);
    if (isReadOnly || !canMoveTo(moved, spot.parent, blocks)) return;
    void (async () => {
      if (!(await edit(movesTo(moved, spot, blocks)))) return;
      const [first] = moved;
      say(texts.moved(moved.length === 1 ? (first?.tag ?? '') : studioTexts.findings.blocks(moved.length)));
      if (first !== undefined) choose(ids, first.id);
    })();
  };
  const spotOf = (direction: Direction): Spot | undefined => stepFrom(meant, direction, blocks, types);
  const move = (direction: Direction): void => {
    const spot = spotOf(direction);
    if (spot !== undefined) void edit(movesTo(meant, spot, blocks));
  };
  const paste = (clipboard: Clipboard = ofPage): void => {
    const sources = blocksIn(clipboard.getData('text/plain'));
    const [first] = sources;
    if (first === undefined) {
      say(texts.nothingToPaste);
      return;
    }
    const { parent, index } = spotFor('fitting', types.get(first.blockType), selected, blocks, types);
    // Together, so that what names one of them names its copy.
    const { children } = copyWithOwnTags({ children: sources }, blocks.tags);
    const [{ tag } = first] = children;
    const operations = children.map((block, at) => ({ op: 'addBlock', parent, index: index + at, block }) as const);
    const pasted = children.length === 1 ? (tag ?? first.blockType) : studioTexts.findings.blocks(children.length);
    void (async () => {
      await apply(operations, texts.added(pasted));
      if (tag !== undefined) selectAdded(tag);
    })();
  };
  return {
    ...{ copy, paste, move, moveTo, canRemove },
    cut: (clipboard) => {
      copy(clipboard);
      remove(texts.cut(name));
    },
    remove: () => {
      remove();
    },
    canMove: (direction) => spotOf(direction) !== undefined,
    onKey: ({ key, altKey }) => {
      if (key === 'Delete') remove();
      else if (altKey && directions[key] !== undefined) move(directions[key]);
      else return false;
      return true;
    },
  };
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'inwards',
  ArrowLeft: 'outwards',
};
