/** `calculateMathAddon`: adds the results of formulas to the variables of its container (reference engine, section 7.21). */
import {
  defineBlock,
  tolerant,
  type BlockType,
  type Json,
  type JsonObject,
  type ReadContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { FormulaRunner, type Equation, type FormulaBlockOptions, type Solution } from '../formulas/index.js';
import { calculation } from './calculate-addon.js';
import { formulaFindings } from './calculate-findings.js';
import { namesUsed } from './derivation.js';

const { listOf, text } = tolerant;

/** Throws `OPTION_INVALID`. */
export function calculateMathAddon(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'calculateMathAddon');
  return defineBlock({
    type: 'calculateMathAddon',
    title: 'Formulas',
    description: 'Computes variables with formulas, in order.',
    kind: 'addon',
    children: 'none',
    parents: ['calculateContainerBlock'],
    options: z.object({ equations: listOf(z.object({ variable: text, formula: text })) }),
    check: (node, { equations }) =>
      formulaFindings(
        node,
        equations.map(({ formula }, i) => ({ option: `equations/${String(i)}/formula`, text: formula })),
      ),
    async answer(ctx, question) {
      const { equations } = ctx.options;
      const { scope, values } = await solved(ctx, formulas, equations, question);
      return {
        scope,
        variables: equations.map(({ variable, formula }) => ({
          name: variable,
          by: ctx.block.tag,
          value: values[variable] ?? null,
          formula,
          uses: namesUsed(formula),
        })),
      };
    },
    /** A formula that fails leaves its variable undefined, with a warning in the journal. */
    async assist(ctx, input) {
      const { scope, failures } = await solved(ctx, formulas, ctx.options.equations, input);
      for (const { variable, formula, error } of failures) {
        const message = `The formula "${formula}" has no value, so "${variable}" has none: ${error.message}.`;
        ctx.warn(message, { variable, formula });
      }
      return { scope };
    },
  });
}

/** The variables including results of formulas; if a formula fails, its variable has no value. */
async function solved(
  ctx: ReadContext,
  formulas: FormulaRunner,
  equations: readonly Equation[],
  question: Json,
): Promise<Solution & { readonly scope: JsonObject }> {
  const { scope } = calculation.parse(question);
  const { values, failures } = await formulas.solve(ctx, equations, scope);
  const failed = new Set(failures.map(({ variable }) => variable));
  const solutions = Object.entries(scope).filter(([name]) => !failed.has(name));
  return { values, failures, scope: { ...Object.fromEntries(solutions), ...values } };
}
