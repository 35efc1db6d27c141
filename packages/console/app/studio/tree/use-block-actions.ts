/** What is done to the selected block, by key or button: cut, copy, paste, delete and move. */
import type { KeyboardEvent } from 'react';
import { copyWithOwnTags, isRecord, type EditOperation, type Source } from '../draft/operations.js';
import { spotFor } from '../palette/places.js';
import { useStudio } from '../studio-context.js';
import { studioTexts } from '../texts.js';

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

export type Direction = 'up' | 'down' | 'inwards' | 'outwards';

export interface BlockActions {
  readonly cut: (clipboard?: Clipboard) => void;
  readonly copy: (clipboard?: Clipboard) => void;
  readonly paste: (clipboard?: Clipboard) => void;
  readonly remove: () => void;
  readonly move: (direction: Direction) => void;
  readonly canMove: (direction: Direction) => boolean;
  readonly canRemove: boolean;
  /** Whether the key did something. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

export function useBlockActions(): BlockActions {
  const { selected, blocks, types, edit, say, select, selectAdded, isReadOnly } = useStudio();
  const name = selected.tag === '' ? selected.type : selected.tag;
  const isRoot = selected.parent === null;
  const neighbour = selected.parent ?? blocks.root;
  const siblings = [...blocks.byId.values()].filter(({ parent }) => parent === selected.parent);

  const apply = async (operations: readonly EditOperation[], said: string, next?: string): Promise<void> => {
    if (!(await edit(operations))) return;
    say(said);
    if (next !== undefined) select(next);
  };
  const copy = (clipboard: Clipboard = ofPage): void => {
    clipboard.setData('text/plain', JSON.stringify(selected.source, null, 2));
    ofPage.setData('text/plain', JSON.stringify(selected.source));
    say(studioTexts.said.copied(name));
  };
  const remove = (said = studioTexts.said.removed(name)): void => {
    if (isRoot || isReadOnly) return;
    const next = siblings[selected.index + 1]?.id ?? siblings[selected.index - 1]?.id ?? neighbour;
    void apply([{ op: 'removeBlock', block: selected.id }], said, next);
  };
  const target = (direction: Direction): { parent: string; index: number } | undefined => {
    if (isRoot) return undefined;
    const { index } = selected;
    if (direction === 'up') return index > 0 ? { parent: neighbour, index: index - 1 } : undefined;
    if (direction === 'down') return index < siblings.length - 1 ? { parent: neighbour, index: index + 1 } : undefined;
    if (direction === 'inwards') {
      const above = siblings[index - 1];
      if (above === undefined || types.get(above.type)?.children === 'none') return undefined;
      return { parent: above.id, index: [...blocks.byId.values()].filter(({ parent }) => parent === above.id).length };
    }
    const around = blocks.byId.get(neighbour);
    return around?.parent == null ? undefined : { parent: around.parent, index: around.index + 1 };
  };
  const move = (direction: Direction): void => {
    const to = target(direction);
    if (to !== undefined) void edit([{ op: 'moveBlock', block: selected.id, ...to }]);
  };
  const paste = (clipboard: Clipboard = ofPage): void => {
    const block = blockIn(clipboard.getData('text/plain'));
    if (block === undefined) {
      say(studioTexts.said.nothingToPaste);
      return;
    }
    const { parent, index } = spotFor('fitting', types.get(block.blockType), selected, blocks, types);
    const pasted = copyWithOwnTags(block, blocks.tags);
    const { tag } = pasted;
    void (async () => {
      await apply([{ op: 'addBlock', parent, index, block: pasted }], studioTexts.said.added(tag ?? block.blockType));
      if (tag !== undefined) selectAdded(tag);
    })();
  };
  return {
    copy,
    cut: (clipboard) => {
      copy(clipboard);
      remove(studioTexts.said.cut(name));
    },
    paste,
    remove: () => {
      remove();
    },
    move,
    canMove: (direction) => target(direction) !== undefined,
    canRemove: !isRoot,
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

type Copied = Source & { readonly blockType: string; readonly tag?: string };

/** The block that a text holds, if it holds one. */
function blockIn(text: string): Copied | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isBlock = isRecord(value) && typeof value['blockType'] === 'string';
    return isBlock ? (value as Copied) : undefined;
  } catch {
    return undefined;
  }
}
