/** A tree whose rows are all of one height: which of them are drawn, which one has the keyboard, and what its keys do. */
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject, type UIEvent } from 'react';
import { rowsOf, type BlockNode, type Row } from './tree-model.js';

const OVERSCAN = 12;

export interface TreeOptions {
  readonly root: BlockNode;
  readonly search: string;
  readonly selected: string | null;
  /** In pixels, as in the style sheet. */
  readonly rowHeight: number;
  readonly onSelect: (uuid: string) => void;
}

export interface Tree {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  /** The rows that are drawn, from the one at `first`. */
  readonly shown: readonly Row[];
  readonly first: number;
  /** Heights of what is above and below them, in pixels. */
  readonly above: number;
  readonly below: number;
  /** UUID of the block that has the keyboard. */
  readonly active: string;
  readonly isOpen: (uuid: string) => boolean;
  readonly toggle: (uuid: string, isOpen: boolean) => void;
  readonly select: (uuid: string) => void;
  /** Gives a block the keyboard, and scrolls to it. */
  readonly show: (uuid: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
}

export function useTree({ root, search, selected, rowHeight, onSelect }: TreeOptions): Tree {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState({ top: 0, height: 600 });
  const [active, setActive] = useState(selected ?? root.uuid);
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(root, collapsed, search), [root, collapsed, search]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - OVERSCAN);
  const shown = rows.slice(first, Math.ceil((view.top + view.height) / rowHeight) + OVERSCAN);
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.uuid === active),
  );

  useEffect(() => {
    if (box.current !== null) setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  }, []);

  const toggle = (uuid: string, isOpen: boolean): void => {
    const next = new Set(collapsed);
    if (isOpen) next.delete(uuid);
    else next.add(uuid);
    setCollapsed(next);
  };
  const moveTo = (index: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row === undefined) return;
    setActive(row.node.uuid);
    reveal(box.current, rows.indexOf(row), rowHeight);
  };
  return {
    ...{ box, rows, shown, first, active, toggle },
    above: first * rowHeight,
    below: Math.max(0, rows.length - first - shown.length) * rowHeight,
    isOpen: (uuid) => search !== '' || !collapsed.has(uuid),
    select: (uuid) => {
      setActive(uuid);
      onSelect(uuid);
    },
    show: (uuid) => {
      moveTo(rows.findIndex(({ node }) => node.uuid === uuid));
    },
    onKeyDown: (event) => {
      const row = rows[at];
      const act = row && keys(event.key, { row, at, rows, collapsed, toggle, moveTo, select: onSelect });
      if (act === undefined) return;
      event.preventDefault();
      act();
    },
    onScroll: ({ currentTarget: { scrollTop, clientHeight } }) => {
      setView({ top: scrollTop, height: clientHeight });
    },
  };
}

function reveal(box: HTMLDivElement | null, index: number, rowHeight: number): void {
  if (box === null) return;
  const top = index * rowHeight;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight;
}

interface KeyContext {
  readonly row: Row;
  readonly at: number;
  readonly rows: readonly Row[];
  readonly collapsed: ReadonlySet<string>;
  readonly toggle: (uuid: string, isOpen: boolean) => void;
  readonly moveTo: (index: number) => void;
  readonly select: (uuid: string) => void;
}

/** The action of a key (ARIA Authoring Practices, "Tree View"); `undefined` for other keys. */
function keys(key: string, { row, at, rows, collapsed, toggle, moveTo, select }: KeyContext): (() => void) | undefined {
  const { uuid, children } = row.node;
  const isOpen = children.length > 0 && !collapsed.has(uuid);
  const parent = rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth);
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => moveTo(at + 1),
    ArrowUp: () => moveTo(at - 1),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    ArrowRight: () => (isOpen ? moveTo(at + 1) : toggle(uuid, true)),
    ArrowLeft: () => (isOpen ? toggle(uuid, false) : moveTo(Math.max(0, parent))),
    Enter: () => select(uuid),
    ' ': () => select(uuid),
  };
  return actions[key];
}
