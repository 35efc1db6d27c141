/** The steps that lead to a variable, in the order of their calculation. */
import type { PolicyClient } from '@blockwork/client';

export type Variable = Awaited<ReturnType<PolicyClient['derivation']>>['blocks'][number]['variables'][number];

/**
 * In the order of calculation, each once. A variable replaces an earlier one of the same name, and a formula uses the values
 * defined before it.
 */
export function stepsTo(name: string, variables: readonly Variable[]): Variable[] {
  const needed = new Set<number>();
  const visit = (wanted: string, before: number): void => {
    const at = variables.findLastIndex((each, index) => index < before && each.name === wanted);
    const variable = variables[at];
    if (variable === undefined || needed.has(at)) return;
    needed.add(at);
    // LaTeX formulas can be in any order, so a name not defined before is looked up after the formula.
    for (const used of variable.uses ?? []) visit(used, isGiven(used, at) ? at : variables.length);
  };
  const isGiven = (wanted: string, before: number): boolean =>
    variables.slice(0, before).some((each) => each.name === wanted);
  visit(name, variables.length);
  return variables.filter((_, at) => needed.has(at));
}
