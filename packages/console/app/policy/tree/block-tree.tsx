/** The tree of blocks: virtualized, with the keyboard interaction of the ARIA tree pattern. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { BlockMarks, type BlockFacts } from './block-marks.js';
import type { BlockNode, Row } from './tree-model.js';
import { useTree } from './use-tree.js';

/** Row height in pixels, as in the style sheet. */
const ROW = 30;

interface TreeProps {
  readonly root: BlockNode;
  readonly search: string;
  readonly selected: string | null;
  readonly facts: BlockFacts;
  readonly onSelect: (uuid: string) => void;
}

export function BlockTree({ root, search, selected, facts, onSelect }: TreeProps): ReactNode {
  const tree = useTree({ root, search, selected, rowHeight: ROW, onSelect });
  const { box, rows, shown, active, above, below, isOpen, toggle, select, onKeyDown, onScroll } = tree;
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
      onScroll={onScroll}
    >
      <svg className="spacer" width="1" height={above} aria-hidden="true" />
      {shown.map((row) => (
        <TreeRow
          key={row.node.uuid}
          row={row}
          isOpen={isOpen(row.node.uuid)}
          isActive={row.node.uuid === active}
          isSelected={row.node.uuid === selected}
          facts={facts}
          onToggle={toggle}
          onSelect={select}
        />
      ))}
      <svg className="spacer" width="1" height={below} aria-hidden="true" />
    </div>
  );
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
      className={`row depth-${String(Math.min(depth, 12))}${isActive ? ' active' : ''}${isEnabled ? '' : ' disabled'}${facts.path.has(tag) ? ' on-way' : ''}`}
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
