/** The links between blocks as arrows beside the rows of the tree, named where they begin or end at the selected one. */
import type { ReactNode } from 'react';
import type { Row } from '../../policy/tree/tree-model.js';
import { boxEdge, ROW } from './measures.js';

/** Arrows drawn at once; those of the selected block come first. */
const MOST = 60;
/** How far an arrow swings out, in pixels: at least, for each row that it passes, and at most. */
const SWING = { least: 28, row: 7, most: 150 };

interface Arrow {
  readonly key: string;
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly label: string;
  readonly isOfSelected: boolean;
}

interface LinksProps {
  readonly rows: readonly Row[];
  readonly first: number;
  readonly last: number;
  readonly selectedTag: string;
}

export function LinksLayer({ rows, first, last, selectedTag }: LinksProps): ReactNode {
  const arrows = arrowsOf(rows, first, last, selectedTag);
  return (
    <svg className="links" width="100%" height={rows.length * ROW} aria-hidden="true">
      <defs>
        <marker id="link-end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 8 4 0 8Z" />
        </marker>
      </defs>
      {arrows.map(({ key, from, to, label, isOfSelected }) => {
        const swing = Math.min(SWING.most, SWING.least + (Math.abs(from.y - to.y) / ROW) * SWING.row);
        const reach = Math.max(from.x, to.x) + swing;
        return (
          <g key={key} className={isOfSelected ? 'of-selected' : ''}>
            <path
              d={`M${String(from.x)} ${String(from.y)}C${String(reach)} ${String(from.y)} ${String(reach)} ${String(to.y)} ${String(to.x)} ${String(to.y)}`}
              markerEnd="url(#link-end)"
            />
            {isOfSelected && (
              <text x={Math.max(from.x, to.x) + swing * 0.75 + 6} y={(from.y + to.y) / 2 + 4}>
                {label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function arrowsOf(rows: readonly Row[], first: number, last: number, selectedTag: string): Arrow[] {
  const at = new Map(rows.map(({ node }, index) => [node.tag, index]));
  const arrows: Arrow[] = [];
  rows.forEach(({ node }) => {
    node.links.forEach(({ source, output, target }, index) => {
      const begin = at.get(source === '' ? node.tag : source);
      const end = at.get(target);
      if (begin === undefined || end === undefined) return;
      if (Math.max(begin, end) < first || Math.min(begin, end) > last) return;
      const isOfSelected = selectedTag !== '' && (rows[begin]?.node.tag === selectedTag || target === selectedTag);
      const place = (row: number): { x: number; y: number } => ({
        x: boxEdge(rows[row]?.depth ?? 0),
        y: (row + 0.5) * ROW,
      });
      arrows.push({
        key: `${node.uuid}-${String(index)}`,
        from: place(begin),
        to: place(end),
        label: output,
        isOfSelected,
      });
    });
  });
  return arrows.sort((a, b) => Number(b.isOfSelected) - Number(a.isOfSelected)).slice(0, MOST);
}
