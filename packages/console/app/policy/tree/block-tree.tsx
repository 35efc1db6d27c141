/** The tree of blocks: virtualized, with the keyboard interaction of the ARIA tree pattern. */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { BlockMarks, type BlockFacts } from './block-marks.js';
import { rowsOf, type BlockNode, type Row } from './tree-model.js';

/** Row height in pixels, as in the style sheet. */
const ROW = 30;
const OVERSCAN = 12;

interface TreeProps {
  readonly root: BlockNode;
  readonly search: string;
  readonly selected: string | null;
  readonly facts: BlockFacts;
  readonly onSelect: (uuid: string) => void;
}

export function BlockTree({ root, search, selected, facts, onSelect }: TreeProps): ReactNode {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [view, setView] = useState({ top: 0, height: 600 });
  const [active, setActive] = useState(selected ?? root.uuid);
  const box = useRef<HTMLDivElement>(null);
  const rows = rowsOf(root, collapsed, search);
  const first = Math.max(0, Math.floor(view.top / ROW) - OVERSCAN);
  const shown = rows.slice(first, Math.ceil((view.top + view.height) / ROW) + OVERSCAN);
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
    reveal(box.current, rows.indexOf(row));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const act = row && keys(event.key, { row, at, rows, collapsed, toggle, moveTo, select: onSelect });
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  if (rows.length === 0) return <p className="quiet">{texts.policy.noMatch}</p>;
  return (
    <div
      ref={box}
      className="tree"
      role="tree"
      tabIndex={0}
      aria-label={texts.policy.tabs.live}
      aria-activedescendant={`block-${active}`}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight });
      }}
    >
      <svg className="spacer" width="1" height={first * ROW} aria-hidden="true" />
      {shown.map((row) => (
        <TreeRow
          key={row.node.uuid}
          row={row}
          isOpen={search !== '' || !collapsed.has(row.node.uuid)}
          isActive={row.node.uuid === active}
          isSelected={row.node.uuid === selected}
          facts={facts}
          onToggle={toggle}
          onSelect={(uuid) => {
            setActive(uuid);
            onSelect(uuid);
          }}
        />
      ))}
      <svg
        className="spacer"
        width="1"
        height={Math.max(0, rows.length - first - shown.length) * ROW}
        aria-hidden="true"
      />
    </div>
  );
}

function reveal(box: HTMLDivElement | null, index: number): void {
  if (box === null) return;
  const top = index * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
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

interface RowProps {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly facts: BlockFacts;
  readonly onToggle: (uuid: string, isOpen: boolean) => void;
  readonly onSelect: (uuid: string) => void;
}

function TreeRow({
  row: { node, depth },
  isOpen,
  isActive,
  isSelected,
  facts,
  onToggle,
  onSelect,
}: RowProps): ReactNode {
  const { uuid, type, tag, children, isEnabled, permissions } = node;
  const hasChildren = children.length > 0;
  return (
    <div
      id={`block-${uuid}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      className={`row depth-${String(Math.min(depth, 12))}${isActive ? ' active' : ''}${isEnabled ? '' : ' disabled'}${facts.way.has(tag) ? ' on-way' : ''}`}
      onClick={() => {
        onSelect(uuid);
      }}
    >
      <span
        className="twisty"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle(uuid, !isOpen);
        }}
      >
        {hasChildren ? (isOpen ? '▾' : '▸') : ''}
      </span>
      <span className={`tone-dot tone-${facts.tones.of(node)?.name ?? 'none'}`} aria-hidden="true" />
      <span className="tag">{tag === '' ? texts.policy.untagged : tag}</span>
      <span className="type">{type}</span>
      <BlockMarks node={node} facts={facts} />
      <span className="roles">{permissions.join(', ')}</span>
    </div>
  );
}
