/** What authors of switches get wrong. */
import type { BlockNode, Finding } from '@blockwork/core/block';
import { formulaProblem } from '../formulas/index.js';
import type { Condition, SwitchOptions } from './switch-options.js';

export function switchFindings(node: BlockNode, { conditions, executionFlow }: SwitchOptions): Finding[] {
  const at = (option: string, message: string): Finding => ({
    severity: 'error',
    code: 'OPTIONS_INVALID',
    message: `The switch "${node.tag}": ${message}.`,
    path: `${node.path}/${option}`,
    block: node.uuid,
    tag: node.tag,
  });
  const seen = new Set<string>();
  const ofCondition = ({ type, value, tag }: Condition, i: number): Finding[] => {
    const place = `conditions/${String(i)}`;
    const found: Finding[] = [];
    if (tag === '') found.push(at(`${place}/tag`, 'a condition has no tag, so its output has no name'));
    else if (seen.has(tag)) found.push(at(`${place}/tag`, `two conditions have the tag "${tag}"`));
    seen.add(tag);
    if (type === '') found.push(at(`${place}/type`, 'a condition is neither equal, not_equal nor unconditional'));
    const problem = type === 'equal' || type === 'not_equal' ? formulaProblem(value) : null;
    if (problem !== null) found.push(at(`${place}/value`, `the condition "${value}" cannot be evaluated: ${problem}`));
    return found;
  };
  return [
    ...(executionFlow === ''
      ? [at('executionFlow', 'it is neither firstTrue nor allTrue; all conditions are tried')]
      : []),
    ...conditions.flatMap(ofCondition),
  ];
}
