/** `blockwork graph`: a picture of a policy. */
import { textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { dotText, mermaidText, policyGraph, type PolicyGraph } from '../graph/policy-graph.js';
import { svgText } from '../graph/svg.js';
import { treeText } from '../graph/tree.js';
import { openPolicyFile } from '../policies/open-policy.js';

const renderers: Readonly<Record<string, (graph: PolicyGraph) => string>> = {
  tree: treeText,
  mermaid: mermaidText,
  dot: dotText,
  svg: svgText,
};

/** With `--json`, the graph itself. */
export const run: CommandRun = async (input, io) => {
  const [path = ''] = input.args;
  const { name, tree } = await openPolicyFile(path);
  const graph = policyGraph(name, tree);
  const render = renderers[textOption(input, 'format') ?? 'tree'] ?? treeText;
  await io.write(input.json ? `${JSON.stringify(graph, null, 2)}\n` : render(graph));
  return exitCodes.ok;
};
