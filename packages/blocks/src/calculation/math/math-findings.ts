/** Checks of the options of `mathBlock`. */
import { finding, type BlockNode, type Finding } from '@blockwork/core/block';
import { latexProblems } from '../../formulas/index.js';
import { formulasOf, type MathExpression } from './math-expression.js';

/** Links and formulas of one block. */
const ITEMS_AT_MOST = 1_000;

export function mathFindings(node: BlockNode, expression: MathExpression): Finding[] {
  const wrong = (message: string): Finding =>
    finding(node, { path: '/expression', message: `${message} in "${node.tag}".` });
  const { variables, formulas, outputs } = expression;
  if (variables.length + formulas.length + outputs.length > ITEMS_AT_MOST) {
    return [wrong(`There are more than ${String(ITEMS_AT_MOST)} links and formulas`)];
  }
  const links = variables.map(({ name }) => name);
  const names = [...links, ...formulas.map(({ name }) => name)];
  const values = [...links, ...formulas.filter(({ type }) => type !== 'function').map(({ name }) => name)];
  const problems = latexProblems(formulasOf(expression), links);
  return [
    ...names.filter((name) => !/^[A-Za-z]\w*$/.test(name)).map((name) => wrong(`"${name}" cannot be a name`)),
    ...[...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((name) =>
      wrong(`The name "${name}" is used twice`),
    ),
    ...problems.map(({ name, error }) => wrong(`The formula "${name}" cannot be used: ${error.message}`)),
    ...outputs
      .filter(({ name }) => !values.includes(name))
      .map(({ name }) => wrong(`The output "${name}" is not the name of a value`)),
    ...[...variables, ...outputs]
      .filter(({ field }) => field === '')
      .map(({ name }) => wrong(`"${name}" does not say which field it means`)),
  ];
}
