/** A policy as a Graphviz graph. */
import { labelOf, type PolicyGraph } from './policy-graph.js';

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
