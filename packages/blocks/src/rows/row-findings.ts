/** Findings about options of row addons that have to be set. */
import { finding, type BlockNode, type Finding } from '@blockwork/core/block';

export const needsNames = <Name extends string>(
  node: BlockNode,
  options: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Finding[] =>
  names
    .filter((name) => options[name].trim() === '')
    .map((name) => finding(node, { path: `/${name}`, message: `"${node.tag}" has no ${name}.` }));
