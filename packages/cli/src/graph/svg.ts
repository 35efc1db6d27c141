/** A policy as an SVG picture: an outline of the blocks, and the events between them as arrows in lanes on the right. */
import type { BlockKind } from '@blockwork/core/block';
import { labelOf, type GraphBlock, type GraphLink, type PolicyGraph } from './policy-graph.js';

const row = 24;
const indent = 22;
const margin = 24;
const lane = 9;
const header = 96;
const character = 7.3;

const hues: Readonly<Record<BlockKind, number>> = {
  container: 215,
  interface: 150,
  server: 25,
  source: 275,
  filter: 320,
  paging: 345,
  history: 190,
  addon: 55,
};

export function svgText(graph: PolicyGraph): string {
  const { name, blocks, links } = graph;
  const textEnd = Math.max(420, ...blocks.map((block) => left(block) + rowText(block).length * character + 30));
  const lanes = laneOf(links);
  const width = Math.ceil(textEnd + (Math.max(0, ...lanes) + 1) * lane + 150);
  const height = header + blocks.length * row + margin;
  const summary = `${blocks.length} blocks, ${links.length} events, roles: ${graph.roles.join(', ') || 'none'}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(name)}</title><desc id="desc">${escape(summary)}</desc>`,
    style,
    `<rect class="page" width="100%" height="100%"/>`,
    `<text class="name" x="${margin}" y="38">${escape(name)}</text>`,
    `<text class="type" x="${margin}" y="60">${escape(summary)}</text>`,
    legend(),
    ...stripes(blocks.length, width),
    ...blocks.map((block) => blockOf(block, blocks)),
    ...links.map((link, index) => arrow(link, textEnd, lanes[index] ?? 0)),
    ...outputs(links, textEnd),
    '</svg>\n',
  ].join('\n');
}

const style = `<style>
:root { --page: #fff; --ink: #1b1f24; --soft: #636c76; --line: #d1d9e0; --light: 42%; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --light: 68%; } }
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: var(--ink); }
.page { fill: var(--page); } .stripe { fill: var(--line); opacity: .25; } .name { font-size: 20px; font-weight: 600; } .tag { font-weight: 600; }
.type, .output { fill: var(--soft); } .output { font-size: 11px; paint-order: stroke; stroke: var(--page); stroke-width: 3px; } .branch { stroke: var(--line); fill: none; }
.link { fill: none; stroke-width: 1.3; opacity: .8; } .link:hover { stroke-width: 3; opacity: 1; }
</style>`;

/** Alternate rows are shaded, so that the eye can follow a block to its arrows. */
const stripes = (rows: number, width: number): string[] =>
  Array.from(
    { length: Math.floor(rows / 2) },
    (_, at) => `<rect class="stripe" y="${header + (2 * at + 1) * row}" width="${width}" height="${row}"/>`,
  );

const centre = ({ index }: Pick<GraphBlock, 'index'>): number => header + index * row + row / 2;
const left = ({ depth }: GraphBlock): number => margin + depth * indent;
const colour = (kind: BlockKind | null): string =>
  kind === null ? 'var(--soft)' : `hsl(${hues[kind]} 65% var(--light))`;

const whom = ({ permissions }: GraphBlock): string => (permissions.length === 0 ? '' : `for ${permissions.join(', ')}`);
const rowText = (block: GraphBlock): string =>
  `${labelOf(block)}  ${block.isNamed ? block.blockType : ''}  ${whom(block)}`;

function blockOf(block: GraphBlock, blocks: readonly GraphBlock[]): string {
  const [x, y] = [left(block), centre(block)];
  const parent = block.parent === null ? undefined : blocks[block.parent];
  const branch =
    parent === undefined ? '' : `<path class="branch" d="M${left(parent)} ${centre(parent) + 6}V${y}H${x - 6}"/>`;
  const type = block.isNamed ? `<tspan class="type" dx="8">${escape(block.blockType)}</tspan>` : '';
  const who = whom(block) === '' ? '' : `<tspan class="type" dx="8">${escape(whom(block))}</tspan>`;
  return (
    `${branch}<circle cx="${x}" cy="${y}" r="5" fill="${colour(block.kind)}"/>` +
    `<text x="${x + 12}" y="${y + 4.5}"><tspan class="tag">${escape(labelOf(block))}</tspan>${type}${who}</text>`
  );
}

/** The lane of each link: short links first and next to the text; links of one lane do not overlap. */
function laneOf(links: readonly GraphLink[]): number[] {
  const lanes: { top: number; bottom: number }[][] = [];
  const laneNumbers = links.map(() => 0);
  const span = ({ from, to }: GraphLink): number => Math.abs(from - to);
  const order = links.map((link, index) => ({ link, index })).sort((a, b) => span(a.link) - span(b.link));
  for (const { link, index } of order) {
    const [top, bottom] = [Math.min(link.from, link.to), Math.max(link.from, link.to)];
    let at = lanes.findIndex((spans) => spans.every((other) => other.bottom < top || other.top > bottom));
    if (at < 0) at = lanes.push([]) - 1;
    lanes[at]?.push({ top, bottom });
    laneNumbers[index] = at;
  }
  return laneNumbers;
}

function arrow({ from, to, output, input }: GraphLink, start: number, at: number): string {
  const isDown = to >= from;
  const x = start + 90 + at * lane;
  // Links leave below the middle of their row and arrive above it, to tell both ends apart.
  const [y1, y2] = [centre({ index: from }) + 4, centre({ index: to }) - 4];
  const stroke = `hsl(${(from * 47) % 360} 60% var(--light))`;
  const bend = isDown ? 5 : -5;
  const path = `M${start} ${y1}H${x - 5}Q${x} ${y1} ${x} ${y1 + bend}V${y2 - bend}Q${x} ${y2} ${x - 5} ${y2}H${start + 6}`;
  return (
    `<path class="link" stroke="${stroke}" d="${path}"><title>${escape(`${output} -> ${input}`)}</title></path>` +
    `<path fill="${stroke}" d="M${start} ${y2}l7 -4v8z"/>`
  );
}

/** The outputs other than the usual one, below the block that they leave. */
function outputs(links: readonly GraphLink[], start: number): string[] {
  const named = new Map<number, Set<string>>();
  for (const { from, output } of links) {
    if (output !== 'RunEvent') named.set(from, (named.get(from) ?? new Set()).add(output));
  }
  return [...named].map(
    ([from, names]) =>
      `<text class="output" x="${start + 8}" y="${centre({ index: from }) + 13}">${escape([...names].join(', '))}</text>`,
  );
}

function legend(): string {
  let x = margin;
  const items = Object.keys(hues).map((kind) => {
    const item =
      `<circle cx="${x + 5}" cy="80" r="5" fill="${colour(kind as BlockKind)}"/>` +
      `<text class="type" x="${x + 15}" y="84">${kind}</text>`;
    x += 32 + kind.length * character;
    return item;
  });
  return items.join('');
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
