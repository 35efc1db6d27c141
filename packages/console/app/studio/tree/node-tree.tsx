/** The blocks of the draft as nested boxes with their links; of thousands, those in view are drawn. */
import {
  memo,
  useEffect,
  useMemo,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { blockNode, type BlockNode } from '../../policy/tree/tree-model.js';
import { useTree } from '../../policy/tree/use-tree.js';
import { texts as consoleTexts } from '../../texts.js';
import type { Finding } from '../../policy/finding.js';
import { titleOf, useStudio } from '../studio-context.js';
import { rolesText, studioTexts } from '../texts.js';
import { LinksLayer } from './links-layer.js';
import { depthClass, ROW } from './measures.js';
import { onSelectingClick, onSelectingKey } from './selecting.js';
import { useBlockActions } from './use-block-actions.js';
import { useDragging, type Drop } from './use-dragging.js';

export function NodeTree({ search }: { readonly search: string }): ReactNode {
  const studio = useStudio();
  const { definition, selected, select, chosen, findings, isReadOnly } = studio;
  const { config } = definition;
  const root = useMemo(() => blockNode(config), [config]);
  const worst = useMemo(() => worstByBlock(findings), [findings]);
  const actions = useBlockActions();
  const { drop, ...dragging } = useDragging();
  const tree = useTree({ root, search, selected: selected.id, rowHeight: ROW, onSelect: select });
  const { box, rows, shown, first, active, above, below, isOpen, toggle } = tree;
  const { show } = tree;
  useEffect(() => {
    show(selected.id);
    // Scrolls when another block is selected, not when the tree is drawn again.
  }, [selected.id]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (onSelectingKey(event, tree, studio) || (!isReadOnly && actions.onKey(event))) event.preventDefault();
    else tree.onKeyDown(event);
  };
  const onClick = (event: MouseEvent): void => {
    const { target } = event;
    const id = target instanceof Element ? blockOf(target) : undefined;
    if (!(target instanceof Element) || id === undefined) return;
    if (target.matches('.twisty')) toggle(id, !isOpen(id));
    else if (!onSelectingClick(event, id, tree, studio)) tree.select(id);
  };
  const onClipboard = (how: 'cut' | 'copy' | 'paste') => (event: ClipboardEvent) => {
    event.preventDefault();
    actions[how](event.clipboardData);
  };
  if (rows.length === 0) return <p className="quiet">{consoleTexts.policy.noMatch}</p>;
  return (
    <div
      ref={box}
      className="nodes"
      role="tree"
      tabIndex={0}
      aria-label={studioTexts.tree}
      aria-multiselectable
      aria-activedescendant={`node-${active}`}
      onKeyDown={onKeyDown}
      onScroll={tree.onScroll}
      onClick={onClick}
      {...dragging}
      onCopy={onClipboard('copy')}
      onCut={isReadOnly ? undefined : onClipboard('cut')}
      onPaste={isReadOnly ? undefined : onClipboard('paste')}
    >
      <div className="sheet" role="presentation">
        <LinksLayer rows={rows} first={first} last={first + shown.length} selectedTag={selected.tag} />
        <svg className="spacer" width="1" height={above} aria-hidden="true" />
        {shown.map(({ node, depth }) => (
          <Node
            key={node.uuid}
            node={node}
            depth={depth}
            isOpen={isOpen(node.uuid)}
            isActive={node.uuid === active}
            isSelected={chosen.has(node.uuid)}
            isDraggable={!isReadOnly && node !== root}
            drop={drop?.block === node.uuid ? drop.place : undefined}
            worst={worst.get(node.uuid)}
          />
        ))}
        <svg className="spacer" width="1" height={below} aria-hidden="true" />
        {root.children.length === 0 && !isReadOnly && <p className="begin quiet">{studioTexts.beginHere}</p>}
      </div>
    </div>
  );
}

type Severity = Finding['severity'];

/** The worst severity at each block. */
function worstByBlock(findings: readonly Finding[]): ReadonlyMap<string, Severity> {
  const order: readonly Severity[] = ['information', 'warning', 'error'];
  const severities = new Map<string, Severity>();
  for (const { block, severity } of findings) {
    if (block === undefined) continue;
    const worst = severities.get(block);
    if (worst === undefined || order.indexOf(severity) > order.indexOf(worst)) severities.set(block, severity);
  }
  return severities;
}

interface NodeProps {
  readonly node: BlockNode;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly worst: Severity | undefined;
  readonly isDraggable: boolean;
  /** Where beside it what is dragged would go. */
  readonly drop: Drop['place'] | undefined;
}

/** The block whose row this is in. */
const blockOf = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[data-block]')?.dataset['block'];

/** While the tree is scrolled, only rows that come into view are drawn. */
const Node = memo(function Node(props: NodeProps): ReactNode {
  const { node, depth, isOpen, isActive, isSelected, worst, isDraggable, drop } = props;
  const { types } = useStudio();
  const { uuid, tag, type, children, permissions, isEnabled } = node;
  const hasChildren = children.length > 0;
  const kind = types.get(type)?.kind ?? 'unknown';
  const states = [isActive && 'active', isSelected && 'selected', !isEnabled && 'disabled', worst];
  const marks = [...states, drop && `drop-${drop}`].filter(Boolean);
  return (
    <div
      id={`node-${uuid}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      className={`node ${depthClass(depth)} ${marks.join(' ')}`}
      data-block={uuid}
    >
      <div className="box" draggable={isDraggable}>
        <span className="twisty" aria-hidden="true">
          {hasChildren ? (isOpen ? '▾' : '▸') : ''}
        </span>
        <span className={`tone-dot kind-${kind}`} aria-hidden="true" />
        <span className="tag">{tag === '' ? studioTexts.untagged : tag}</span>
        <span className="type">{titleOf(types, type)}</span>
        {worst !== undefined && worst !== 'information' && (
          <span className={`dot ${worst}`}>
            <span className="sr-only">{worst}</span>
          </span>
        )}
        <span className="roles">{rolesText(permissions)}</span>
      </div>
    </div>
  );
});
