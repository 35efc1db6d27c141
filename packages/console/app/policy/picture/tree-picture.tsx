/**
 * The block tree as a picture, with the links of the selected block and the path of a unit. The list is its text
 * equivalent.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import type { BlockFacts } from '../tree/block-marks.js';
import { isMatch, linksAt, type BlockNode } from '../tree/tree-model.js';
import { pendingWorkTexts, waitsFor } from '../tree/pending-work.js';
import type { Hop } from '../tree/unit-path.js';
import { foldedFrom, overview, unfoldedTo } from './folding.js';
import { moveOf } from './picture-keys.js';
import { treeLayout, type PlacedBlock } from './tree-layout.js';
import { fitting, LARGEST, zoomAtFirst } from './zoom.js';

const [WIDTH, HEIGHT, COLUMN, ROW] = [208, 26, 240, 34] as const;
/** Maximum number of characters in a box. */
const FITS = 24;
const zooms = [0.25, 0.4, 0.6, 0.8, 1, 1.25, 1.6] as const;

interface PictureProps {
  readonly root: BlockNode;
  readonly search: string;
  readonly selected: string | null;
  readonly facts: BlockFacts;
  readonly hops: readonly Hop[];
  readonly onSelect: (uuid: string) => void;
}

export function TreePicture({ root, search, selected, facts, hops, onSelect }: PictureProps): ReactNode {
  const [folded, setFolded] = useState(() => overview(root));
  const [zoom, setZoom] = useState<number>(1);
  const box = useRef<HTMLDivElement>(null);
  const wanted = search.trim().toLowerCase();
  const hopsText = hops.map(({ source, target }) => `${source}\n${target}`).join('\n');
  useEffect(() => {
    setFolded((present) => unfoldedTo(root, present, ({ uuid }) => uuid === selected));
  }, [root, selected]);
  useEffect(() => {
    const tags = new Set(hopsText.split('\n'));
    setFolded((present) => unfoldedTo(root, present, ({ tag }) => tag !== '' && tags.has(tag)));
  }, [root, hopsText]);
  // Search results stay unfolded during the search.
  const collapsed = useMemo(
    () => (wanted === '' ? folded : unfoldedTo(root, folded, (node) => isMatch(node, wanted))),
    [root, folded, wanted],
  );
  const placed = useMemo(() => treeLayout(root, collapsed), [root, collapsed]);
  // Room for the counts of folded blocks beside the last column.
  const width = (Math.max(...placed.map(({ column }) => column)) + 1) * COLUMN + 100;
  const height = (Math.max(...placed.map(({ row }) => row)) + 1) * ROW + 40;
  const current = placed.find(({ node }) => node.uuid === selected);
  // Sets the initial zoom when the picture first becomes visible, which may be after mounting.
  useLayoutEffect(() => {
    const frame = box.current;
    if (frame === null) return;
    const observer = new ResizeObserver(() => {
      if (frame.clientWidth === 0) return;
      observer.disconnect();
      setZoom(zoomAtFirst({ width, height }, frameOf(frame)));
    });
    observer.observe(frame);
    return () => {
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    if (current !== undefined) reveal(box.current, current, zoom);
    // Runs only when the selection changes and is drawn, so that scrolling never jumps back.
  }, [selected, current === undefined]);
  useEffect(() => {
    const first = wanted === '' ? undefined : placed.find(({ node }) => isMatch(node, wanted));
    if (first !== undefined) reveal(box.current, first, zoom);
    // Runs only when the search changes.
  }, [wanted]);
  const fit = (): void => {
    if (box.current === null) return;
    setZoom(fitting({ width, height }, frameOf(box.current)));
    box.current.scrollTo(0, 0);
  };
  const step = (by: number): void => {
    const next = by > 0 ? zooms.find((each) => each > zoom) : zooms.findLast((each) => each < zoom);
    if (next !== undefined) setZoom(next);
  };
  const toggle = (uuid: string): void => {
    const next = new Set(collapsed);
    if (!next.delete(uuid)) next.add(uuid);
    setFolded(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = moveOf(event.key, placed, selected, collapsed);
    if (move === null) return;
    event.preventDefault();
    if ('select' in move) onSelect(move.select);
    else toggle(move.toggle);
  };
  return (
    <div className="stack">
      <div className="filters">
        <button type="button" aria-label={texts.policy.smaller} disabled={zoom <= zooms[0]} onClick={() => step(-1)}>
          −
        </button>
        <button type="button" aria-label={texts.policy.larger} disabled={zoom >= LARGEST} onClick={() => step(1)}>
          +
        </button>
        <button type="button" onClick={fit}>
          {texts.policy.fit}
        </button>
        <button type="button" disabled={collapsed.size === 0} onClick={() => setFolded(new Set())}>
          {texts.policy.unfoldAll}
        </button>
        <button type="button" onClick={() => setFolded(foldedFrom(root, 1))}>
          {texts.policy.foldAll}
        </button>
        <p className="quiet picture-hint">
          {selected === null ? texts.policy.selectForLinks : texts.policy.linksLegend}
        </p>
      </div>
      <div
        ref={box}
        className="tree-picture"
        role="region"
        aria-label={texts.policy.picture}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <svg
          width={width * zoom}
          height={height * zoom}
          viewBox={`0 0 ${String(width)} ${String(height)}`}
          aria-hidden="true"
        >
          <Arrows />
          {placed.map(({ column, row, parent }, at) => {
            const from = parent === null ? undefined : placed[parent];
            return from === undefined ? null : (
              <path key={at} className="holds-line" d={elbow(from, { column, row })} />
            );
          })}
          {placed.map((block) => (
            <Box
              key={block.node.uuid}
              block={block}
              isDimmed={wanted !== '' && !isMatch(block.node, wanted)}
              isSelected={block.node.uuid === selected}
              isCollapsed={collapsed.has(block.node.uuid)}
              facts={facts}
              onSelect={onSelect}
              onToggle={toggle}
            />
          ))}
          <Links placed={placed} lines={hops.map((hop) => ({ ...hop, kind: 'way' as const }))} />
          {current !== undefined && <Links placed={placed} lines={linesAt(root, current.node.tag)} />}
        </svg>
      </div>
    </div>
  );
}

interface Line extends Hop {
  readonly kind: 'in' | 'out' | 'way';
}

function linesAt(root: BlockNode, tag: string): Line[] {
  const { incoming, outgoing } = linksAt(root, tag);
  return [
    ...incoming.map(({ source, target }) => ({ source, target, kind: 'in' as const })),
    ...outgoing.map(({ source, target }) => ({ source, target, kind: 'out' as const })),
  ];
}

const kinds = ['in', 'out', 'way'] as const;

const Arrows = (): ReactNode => (
  <defs>
    {kinds.map((kind) => (
      <marker
        key={kind}
        id={`arrow-${kind}`}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto"
      >
        <path className={`arrow ${kind}`} d="M0 0L8 4L0 8z" />
      </marker>
    ))}
  </defs>
);

/** Links of blocks below a collapsed one are not drawn. */
function Links({
  placed,
  lines,
}: {
  readonly placed: readonly PlacedBlock[];
  readonly lines: readonly Line[];
}): ReactNode {
  const byTag = new Map(placed.map((block) => [block.node.tag, block]));
  const drawn = new Map(lines.map((line) => [`${line.kind} ${line.source}\n${line.target}`, line]));
  return [...drawn].map(([key, { source, target, kind }]) => {
    const [from, to] = [byTag.get(source), byTag.get(target)];
    if (from === undefined || to === undefined || from === to) return null;
    return <path key={key} className={`link-line ${kind}`} d={arc(from, to)} markerEnd={`url(#arrow-${kind})`} />;
  });
}

interface BoxProps {
  readonly block: PlacedBlock;
  readonly isDimmed: boolean;
  readonly isSelected: boolean;
  readonly isCollapsed: boolean;
  readonly facts: BlockFacts;
  readonly onSelect: (uuid: string) => void;
  readonly onToggle: (uuid: string) => void;
}

function Box({ block, isDimmed, isSelected, isCollapsed, facts, onSelect, onToggle }: BoxProps): ReactNode {
  const { node } = block;
  const { uuid, tag, type, children, isEnabled } = node;
  const [x, y] = [left(block), top(block)];
  const counts = facts.work?.get(uuid) ?? {};
  const waits = waitsFor(counts);
  const title = tag === '' ? type : tag;
  const about = [`${title} · ${type}`, ...pendingWorkTexts(counts).map(({ text }) => text)].join('\n');
  const isLit = facts.latest !== undefined && facts.latestUnits.get(tag)?.revision === facts.latest;
  const states = [
    `tone-${facts.tones.of(node)?.name ?? 'none'}`,
    ...(isSelected ? ['selected'] : []),
    ...(isDimmed ? ['dimmed'] : []),
    ...(isEnabled ? [] : ['disabled']),
    ...(facts.path.has(tag) || isLit ? ['lit'] : []),
  ];
  return (
    <g className={`box ${states.join(' ')}`}>
      <g onClick={() => onSelect(uuid)}>
        <title>{about}</title>
        <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="6" />
        <text x={x + 10} y={y + 18}>
          {clipped(title, waits > 0 ? FITS - 6 : FITS)}
        </text>
        {waits > 0 && (
          <g className="badge">
            <rect x={x + WIDTH - 40} y={y + 5} width="34" height="16" rx="8" />
            <text x={x + WIDTH - 23} y={y + 17} textAnchor="middle">
              {waits > 999 ? '999+' : waits}
            </text>
          </g>
        )}
      </g>
      {children.length > 0 && (
        <g className="fold" onClick={() => onToggle(uuid)}>
          <circle cx={x + WIDTH + 10} cy={y + HEIGHT / 2} r="7" />
          <text x={x + WIDTH + 10} y={y + HEIGHT / 2 + 4} textAnchor="middle">
            {isCollapsed ? '+' : '−'}
          </text>
          {isCollapsed && (
            <text className="folded-count" x={x + WIDTH + 22} y={y + HEIGHT / 2 + 4}>
              {texts.policy.folded(sizeBelow(node))}
            </text>
          )}
        </g>
      )}
    </g>
  );
}

const sizeBelow = ({ children }: BlockNode): number => children.reduce((sum, child) => sum + 1 + sizeBelow(child), 0);

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

type Place = Pick<PlacedBlock, 'column' | 'row'>;
const left = ({ column }: Place): number => column * COLUMN + 14;
const top = ({ row }: Place): number => row * ROW + 20;
const middle = (place: Place): number => top(place) + HEIGHT / 2;

/** The line from a parent to its child. */
function elbow(from: Place, to: Place): string {
  const x = left(from) + WIDTH + 18;
  return `M${String(left(from) + WIDTH)} ${String(middle(from))}H${String(x)}V${String(middle(to))}H${String(left(to))}`;
}

/** An event link: around the left side of the boxes within a column, side to side between columns. */
function arc(from: Place, to: Place): string {
  const [y1, y2] = [middle(from), middle(to)];
  const isForward = to.column > from.column;
  const x1 = isForward ? left(from) + WIDTH : left(from);
  const x2 = to.column < from.column ? left(to) + WIDTH : left(to);
  const bend = Math.min(140, 30 + Math.abs(y2 - y1) / 4);
  const [c1, c2] = isForward ? [x1 + bend, x2 - bend] : [x1 - bend, to.column < from.column ? x2 + bend : x2 - bend];
  return `M${String(x1)} ${String(y1)}C${String(c1)} ${String(y1)} ${String(c2)} ${String(y2)} ${String(x2)} ${String(y2)}`;
}

const frameOf = ({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } => ({
  width: clientWidth,
  height: clientHeight,
});

function reveal(box: HTMLDivElement | null, block: PlacedBlock, zoom: number): void {
  if (box === null) return;
  const [x, y] = [left(block) * zoom, top(block) * zoom];
  const isInView =
    x >= box.scrollLeft &&
    x + WIDTH * zoom <= box.scrollLeft + box.clientWidth &&
    y >= box.scrollTop &&
    y + HEIGHT * zoom <= box.scrollTop + box.clientHeight;
  if (!isInView) box.scrollTo(Math.max(0, x - box.clientWidth / 3), Math.max(0, y - box.clientHeight / 3));
}
