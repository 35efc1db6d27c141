/** `calculateMathAddon`: adds what formulas give to the variables of its container (reference engine, section 7.21). */
import type { Block, BlockNode, Finding, Json, RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import { listOf, text } from '../common/option-schemas.js';
import { solve } from '../formulas/index.js';
import { calculation } from './calculate-addon.js';
import { formulaFindings } from './calculate-findings.js';

const options = z.object({ equations: listOf(z.object({ variable: text, formula: text })) });
type Options = z.infer<typeof options>;

export class CalculateMathAddon implements Block<Options> {
  readonly about = {
    type: 'calculateMathAddon',
    title: 'Formulas',
    description: 'Works out variables by formulas, one after the other.',
    kind: 'addon',
    children: 'none',
    parents: ['calculateContainerBlock'],
  } as const;
  readonly options = options;

  check(node: BlockNode, { equations }: Options): Finding[] {
    return formulaFindings(
      node,
      equations.map(({ formula }, i) => ({ option: `equations/${String(i)}/formula`, text: formula })),
    );
  }

  /** A formula without a value leaves its variable without one, and says so in the journal. */
  assist(ctx: RunContext<Options>, input: Json): Promise<Json> {
    const { scope } = calculation.parse(input);
    const { values, failures } = solve(ctx.options.equations, scope);
    const failed = new Set(failures.map(({ variable }) => variable));
    for (const { variable, formula, error } of failures) {
      ctx.warn(`The formula "${formula}" has no value, so "${variable}" has none: ${error.message}.`, {
        variable,
        formula,
      });
    }
    const kept = Object.entries(scope).filter(([name]) => !failed.has(name));
    return Promise.resolve({ scope: { ...Object.fromEntries(kept), ...values } });
  }
}
