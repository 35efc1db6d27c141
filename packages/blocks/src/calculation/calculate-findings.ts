/** Checks of the options of calculation blocks. */
import { finding, isObject, type BlockNode, type Finding } from '@blockwork/core/block';
import { formulaProblem, variablesOf } from '../formulas/index.js';

/** A finding about one option of a block. */
export const optionFinding = (
  node: BlockNode,
  option: string,
  message: string,
  severity: Finding['severity'] = 'error',
): Finding => finding(node, { path: `/${option}`, message: `Block "${node.tag}": ${message}.`, severity });

/** Findings for formulas that can never be evaluated. */
export function formulaFindings(
  node: BlockNode,
  formulas: readonly { readonly option: string; readonly text: string }[],
): Finding[] {
  return formulas.flatMap(({ option, text }) => {
    const problem = formulaProblem(text);
    return problem === null
      ? []
      : [optionFinding(node, option, `the formula "${text}" cannot be evaluated: ${problem}`)];
  });
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Names in the formulas of addons that neither an input field nor an addon defines. */
export function unknownNames(node: BlockNode, inputs: readonly Field[]): Finding[] {
  const names = new Set([...inputs.map(({ value }) => value), ...node.children.flatMap(variablesGiven)]);
  return node.children.flatMap((addon) =>
    formulasOf(addon).flatMap((formula, i) =>
      (formulaProblem(formula) === null ? variablesOf(formula) : [])
        .filter((name) => !names.has(name))
        .map((name) =>
          optionFinding(
            addon,
            `equations/${String(i)}/formula`,
            `"${name}" is not defined, so the formula "${formula}" has no value`,
            'warning',
          ),
        ),
    ),
  );
}

/** Missing entries become empty text, so that positions are kept. */
const formulasOf = ({ source: { equations } }: BlockNode): string[] =>
  (Array.isArray(equations) ? (equations as unknown[]) : []).map((equation) =>
    isObject(equation) && typeof equation.formula === 'string' ? equation.formula : '',
  );

/** Output fields whose variable is set by neither an input field nor an addon. */
export function unknownOutputs(node: BlockNode, inputs: readonly Field[], outputs: readonly Field[]): Finding[] {
  const names = new Set([...inputs.map(({ value }) => value), ...node.children.flatMap(variablesGiven)]);
  return outputs.flatMap(({ name, value }, i) =>
    names.has(value)
      ? []
      : [
          optionFinding(
            node,
            `outputFields/${String(i)}/value`,
            `the variable "${value}" is not defined, so the field "${name}" is always left out`,
            'warning',
          ),
        ],
  );
}

/** Read from the lists in which addons name their variables, including addons of other libraries. */
function variablesGiven({ source }: BlockNode): string[] {
  const rows = [source.equations, source.variables].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return rows
    .filter(isObject)
    .flatMap(({ variable, variableName }) => [variable, variableName])
    .filter((name) => typeof name === 'string');
}
