/** Findings about options of token blocks. */
import { finding, type BlockNode, type Finding } from '@blockwork/core/block';
import { formulaProblem } from '../formulas/index.js';

export interface OptionFault {
  readonly option: string;
  readonly reason: string;
}

/** Those whose condition holds. */
export const faultsIn = (rules: readonly (readonly [boolean, string, string])[]): OptionFault[] =>
  rules.flatMap(([wrong, option, reason]) => (wrong ? [{ option, reason }] : []));

export function ruleFaults(option: string, expression: string): OptionFault[] {
  if (expression === '')
    return [{ option, reason: 'it is missing. Write a formula that says how much, such as the name of a field' }];
  const problem = formulaProblem(expression);
  return problem === null ? [] : [{ option, reason: problem }];
}

export const asFindings = (node: BlockNode, faults: readonly OptionFault[]): Finding[] =>
  faults.map(({ option, reason }) =>
    finding(node, { message: `The option ${option} of "${node.tag}" cannot be used: ${reason}.`, path: `/${option}` }),
  );
