/** The blocks of the draft as nested boxes with their links; of thousands, those in view are drawn. */
import { useEffect, useMemo, type ClipboardEvent, type KeyboardEvent, type ReactNode } from 'react';
import { blockNode, type BlockNode } from '../../policy/tree/tree-model.js';
import { useTree } from '../../policy/tree/use-tree.js';
import { texts as consoleTexts } from '../../texts.js';
import type { Finding } from '../../policy/finding.js';
import { titleOf, useStudio } from '../studio-context.js';
import { rolesText, studioTexts } from '../texts.js';
import { LinksLayer } from './links-layer.js';
import { depthClass, ROW } from './measures.js';
import { useBlockActions } from './use-block-actions.js';

export function NodeTree({ search }: { readonly search: string }): ReactNode {
  const { definition, selected, select, findings, isReadOnly } = useStudio();
  const { config } = definition;
  const root = useMemo(() => blockNode(config), [config]);
  const worst = useMemo(() => worstByBlock(findings), [findings]);
  const actions = useBlockActions();
  const tree = useTree({ root, search, selected: selected.id, rowHeight: ROW, onSelect: select });
  const { box, rows, shown, first, active, above, below, isOpen, toggle } = tree;
  const { show } = tree;
  useEffect(() => {
    show(selected.id);
    // Scrolls when another block is selected, not when the tree is drawn again.
  }, [selected.id]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isReadOnly && actions.onKey(event)) event.preventDefault();
    else tree.onKeyDown(event);
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
      aria-activedescendant={`node-${active}`}
      onKeyDown={onKeyDown}
      onScroll={tree.onScroll}
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
            isSelected={node.uuid === selected.id}
            worst={worst.get(node.uuid)}
            onToggle={toggle}
            onSelect={tree.select}
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
  const found = new Map<string, Severity>();
  for (const { block, severity } of findings) {
    if (block === undefined) continue;
    const known = found.get(block);
    if (known === undefined || order.indexOf(severity) > order.indexOf(known)) found.set(block, severity);
  }
  return found;
}

interface NodeProps {
  readonly node: BlockNode;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly worst: Severity | undefined;
  readonly onToggle: (uuid: string, isOpen: boolean) => void;
  readonly onSelect: (uuid: string) => void;
}

function Node({ node, depth, isOpen, isActive, isSelected, worst, onToggle, onSelect }: NodeProps): ReactNode {
  const { types } = useStudio();
  const { uuid, tag, type, children, permissions, isEnabled } = node;
  const hasChildren = children.length > 0;
  const kind = types.get(type)?.kind ?? 'unknown';
  const marks = [isActive && 'active', isSelected && 'selected', !isEnabled && 'disabled', worst].filter(Boolean);
  return (
    <div
      id={`node-${uuid}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      className={`node ${depthClass(depth)} ${marks.join(' ')}`}
      onClick={() => {
        onSelect(uuid);
      }}
    >
      <div className="box">
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
}
