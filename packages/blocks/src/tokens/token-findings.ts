/** Findings about options of token blocks. */
import type { BlockNode, Finding } from '@blockwork/core/block';
import { formulaProblem } from '../formulas/index.js';

export interface TokenBlockFinding {
  readonly option: string;
  readonly reason: string;
}

/** Those whose condition holds. */
export const blockFindings = (rules: readonly (readonly [boolean, string, string])[]): TokenBlockFinding[] =>
  rules.flatMap(([wrong, option, reason]) => (wrong ? [{ option, reason }] : []));

export function ruleFaults(option: string, expression: string): TokenBlockFinding[] {
  if (expression === '') return [{ option, reason: 'it says how much' }];
  const problem = formulaProblem(expression);
  return problem === null ? [] : [{ option, reason: problem }];
}

export const asFindings = (node: BlockNode, faults: readonly TokenBlockFinding[]): Finding[] =>
  faults.map(({ option, reason }) => ({
    severity: 'error',
    code: 'OPTIONS_INVALID',
    message: `The option ${option} of "${node.tag}" cannot be used: ${reason}.`,
    path: `${node.path}/${option}`,
    block: node.uuid,
    tag: node.tag,
  }));
