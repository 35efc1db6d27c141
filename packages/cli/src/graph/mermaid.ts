/** A policy as Mermaid flowcharts, which GitHub and many editors render. */
import { labelOf, type GraphBlock, type PolicyGraph } from './policy-graph.js';

/** Renderers fail on larger pictures, and readers give up. */
const LARGEST = 150;

/** One flowchart; for a large policy, a Markdown page with one for each part. */
export function mermaidText(graph: PolicyGraph): string {
  const [first, ...others] = parts(graph);
  if (first === undefined) return '';
  if (others.length === 0) return flowchart(graph, first.blocks);
  const pages = [first, ...others].map(
    ({ title, blocks }) => `## ${title}\n\n\`\`\`mermaid\n${flowchart(graph, blocks)}\`\`\`\n`,
  );
  return `# ${graph.name}\n\n${pages.join('\n')}`;
}

interface Part {
  readonly title: string;
  readonly blocks: readonly GraphBlock[];
}

/** The whole policy, or its upper levels followed by each part below them. */
function parts({ blocks }: PolicyGraph): Part[] {
  const found: Part[] = [];
  const open = blocks.slice(0, 1);
  for (let root = open.shift(); root !== undefined; root = open.shift()) {
    const all = subtree(root, blocks);
    const children = blocks.filter(({ parent }) => parent === root.index);
    const isWhole = all.length <= LARGEST;
    found.push({ title: labelOf(root), blocks: isWhole ? all : [root, ...children] });
    if (!isWhole) open.push(...children.filter((child) => blocks.some(({ parent }) => parent === child.index)));
  }
  return found;
}

/** In document order, a block's descendants follow it. */
function subtree(root: GraphBlock, blocks: readonly GraphBlock[]): readonly GraphBlock[] {
  const end = blocks.findIndex(({ index, depth }) => index > root.index && depth <= root.depth);
  return blocks.slice(root.index, end < 0 ? blocks.length : end);
}

function flowchart({ links }: PolicyGraph, blocks: readonly GraphBlock[]): string {
  const shown = new Set(blocks.map(({ index }) => index));
  const nodes = blocks.map(({ index, ...block }) => {
    const label = escape(labelOf({ index, ...block }));
    return `  b${index}["${block.isNamed ? `${label}<br>${escape(block.blockType)}` : label}"]\n`;
  });
  const holds = blocks
    .filter(({ parent }) => parent !== null && shown.has(parent))
    .map(({ parent, index }) => `  b${parent ?? 0} --- b${index}\n`);
  const events = links
    .filter(({ from, to }) => shown.has(from) && shown.has(to))
    .map(({ from, output, to }) => `  b${from} -. "${escape(output)}" .-> b${to}\n`);
  return `flowchart LR\n${[...nodes, ...holds, ...events].join('')}`;
}

const escape = (text: string): string =>
  text.replace(/[&"<>#;]/g, (sign) => `#${String(sign.codePointAt(0))};`).replaceAll(/\s+/g, ' ');
