/** Checks of the options of `switchBlock`. */
import { finding, type BlockNode, type Finding } from '@blockwork/core/block';
import { formulaProblem } from '../formulas/index.js';
import type { Condition, SwitchOptions } from './switch-options.js';

export const switchFindings = (node: BlockNode, { conditions, executionFlow }: SwitchOptions): Finding[] => [
  ...(executionFlow === ''
    ? [optionFinding(node, 'executionFlow', 'it is neither firstTrue nor allTrue; all conditions are tried')]
    : []),
  ...conditions.flatMap((condition, at) => [
    ...tagFindings(node, conditions, at),
    ...formulaFindings(node, condition, at),
  ]),
];

const optionFinding = (node: BlockNode, option: string, message: string): Finding =>
  finding(node, { path: `/${option}`, message: `The switch "${node.tag}": ${message}.` });

function tagFindings(node: BlockNode, conditions: readonly Condition[], at: number): Finding[] {
  const { tag = '' } = conditions[at] ?? {};
  const option = `conditions/${String(at)}/tag`;
  if (tag === '') return [optionFinding(node, option, 'a condition has no tag, so its output has no name')];
  const isRepeated = conditions.findIndex((other) => other.tag === tag) < at;
  return isRepeated ? [optionFinding(node, option, `two conditions have the tag "${tag}"`)] : [];
}

function formulaFindings(node: BlockNode, { type, value }: Condition, at: number): Finding[] {
  const option = `conditions/${String(at)}`;
  if (type === '') {
    return [optionFinding(node, `${option}/type`, 'a condition is neither equal, not_equal nor unconditional')];
  }
  const problem = type === 'unconditional' ? null : formulaProblem(value);
  return problem === null
    ? []
    : [optionFinding(node, `${option}/value`, `the condition "${value}" cannot be evaluated: ${problem}`)];
}
