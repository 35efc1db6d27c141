/** Checks of the options of `aggregateDocumentBlock`. */
import type { BlockNode, Finding, PolicyTree } from '@blockwork/core/block';
import { formulaProblem, variablesOf } from '../formulas/index.js';
import type { AggregateDocumentOptions } from './aggregate-document-options.js';
import { formulaFindings, optionFinding } from './calculate-findings.js';

export function aggregateDocumentFindings(
  node: BlockNode,
  options: AggregateDocumentOptions,
  policy: PolicyTree,
): Finding[] {
  const { aggregateType, groupByFields } = options;
  return [
    ...groupByFields.flatMap(({ fieldPath }, i) =>
      fieldPath === '' ? [optionFinding(node, `groupByFields/${String(i)}/fieldPath`, 'it is not set')] : [],
    ),
    ...(aggregateType === 'cumulative' ? cumulativeFindings(node, options) : []),
    ...(aggregateType === 'period' && !isTimed(node, policy)
      ? [optionFinding(node, 'timer', 'no link brings a TimerEvent, so nothing is ever released', 'warning')]
      : []),
    ...(aggregateType === '' ? [optionFinding(node, 'aggregateType', 'it is neither "period" nor "cumulative"')] : []),
  ];
}

function cumulativeFindings(node: BlockNode, { condition, expressions }: AggregateDocumentOptions): Finding[] {
  if (condition === '') return [optionFinding(node, 'condition', 'it is not set, so nothing is ever released')];
  const known = new Set(expressions.map(({ name }) => name));
  const unknown = formulaProblem(condition) === null ? variablesOf(condition).filter((name) => !known.has(name)) : [];
  return [
    ...formulaFindings(node, [
      { option: 'condition', text: condition },
      ...expressions.map(({ value }, i) => ({ option: `expressions/${String(i)}/value`, text: value })),
    ]),
    ...unknown.map((name) => optionFinding(node, 'condition', `no expression gives the variable "${name}"`)),
  ];
}

const isTimed = (node: BlockNode, policy: PolicyTree): boolean =>
  policy.blocks.some(({ links }) =>
    [...links.values()].flat().some(({ target, input }) => target === node && input === 'TimerEvent'),
  );
