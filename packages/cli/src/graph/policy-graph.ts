/** The graph of a policy: its block tree and the events between blocks. */
import { type BlockKind, type EventLink, type PolicyTree, REFRESH, RELEASE } from '@blockwork/core/block';

export interface GraphBlock {
  /** Position in document order; identifies the block in pictures. */
  readonly index: number;
  readonly tag: string;
  /** Whether the author set the tag. */
  readonly isNamed: boolean;
  readonly blockType: string;
  /** `null` if the type is unknown. */
  readonly kind: BlockKind | null;
  readonly depth: number;
  /** `null` for the root. */
  readonly parent: number | null;
  readonly permissions: readonly string[];
}

export interface GraphLink {
  readonly from: number;
  readonly output: string;
  readonly to: number;
  readonly input: string;
}

export interface PolicyGraph {
  readonly name: string;
  readonly roles: readonly string[];
  readonly blocks: readonly GraphBlock[];
  readonly links: readonly GraphLink[];
}

export function policyGraph(name: string, { blocks, roles }: PolicyTree): PolicyGraph {
  const indexes = new Map(blocks.map((block, index) => [block, index]));
  const depths: number[] = [];
  const nodes = blocks.map((block, index) => {
    const parent = block.parent === null ? null : (indexes.get(block.parent) ?? null);
    const depth = parent === null ? 0 : (depths[parent] ?? 0) + 1;
    depths.push(depth);
    const { tag, named: isNamed, blockType, definition, permissions } = block;
    return { index, tag, isNamed, blockType, kind: definition?.kind ?? null, depth, parent, permissions };
  });
  const links = blocks.flatMap((block, from) =>
    [...block.links.values()]
      .flat()
      .filter((link) => !isImplied(link, block.parent))
      .map(({ output, input, target }) => ({ from, output, to: indexes.get(target) ?? 0, input })),
  );
  return { name, roles, blocks: nodes, links };
}

/** The label of a block in a picture. */
export const labelOf = ({ tag, isNamed, blockType }: GraphBlock): string => (isNamed ? tag : `(${blockType})`);

/** Every block notifies its parent that it changed or finished; in a picture, these links would hide the others. */
const isImplied = ({ output, target }: EventLink, parent: EventLink['target'] | null): boolean =>
  target === parent && (output === REFRESH || output === RELEASE);

export function dotText({ name, blocks, links }: PolicyGraph): string {
  const nodes = blocks.map((block) => {
    const label = block.isNamed ? `${labelOf(block)}\n${block.blockType}` : labelOf(block);
    return `  b${block.index} [label=${quoted(label)}];\n`;
  });
  const holds = blocks
    .filter(({ parent }) => parent !== null)
    .map(({ parent, index }) => `  b${parent ?? 0} -> b${index} [arrowhead=none, color=gray];\n`);
  const events = links.map(
    ({ from, output, to }) =>
      `  b${from} -> b${to} [label=${quoted(output)}, style=dashed, color=blue, constraint=false];\n`,
  );
  const frame = `  graph [label=${quoted(name)}, rankdir=LR];\n  node [shape=box, style=rounded, fontname="sans-serif"];\n`;
  return `digraph policy {\n${frame}${[...nodes, ...holds, ...events].join('')}}\n`;
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

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
  const result: Part[] = [];
  const open = blocks.slice(0, 1);
  for (let root = open.shift(); root !== undefined; root = open.shift()) {
    const all = subtree(root, blocks);
    const children = blocks.filter(({ parent }) => parent === root.index);
    const isWhole = all.length <= LARGEST;
    result.push({ title: labelOf(root), blocks: isWhole ? all : [root, ...children] });
    if (!isWhole) open.push(...children.filter((child) => blocks.some(({ parent }) => parent === child.index)));
  }
  return result;
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
