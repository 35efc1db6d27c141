/** `calculateMathAddon`: adds the results of formulas to the variables of its container (reference engine, section 7.21). */
import { defineBlock, tolerant, type BlockType } from '@blockwork/core/block';
import { z } from 'zod';
import { FormulaRunner, type FormulaBlockOptions } from '../formulas/index.js';
import { calculation } from './calculate-addon.js';
import { formulaFindings } from './calculate-findings.js';

const { listOf, text } = tolerant;

/** Throws `OPTION_INVALID`. */
export function calculateMathAddon(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'calculateMathAddon');
  return defineBlock({
    type: 'calculateMathAddon',
    title: 'Formulas',
    description: 'Calculates variables with formulas, one after the other.',
    kind: 'addon',
    children: 'none',
    parents: ['calculateContainerBlock'],
    options: z.object({ equations: listOf(z.object({ variable: text, formula: text })) }),
    check: (node, { equations }) =>
      formulaFindings(
        node,
        equations.map(({ formula }, i) => ({ option: `equations/${String(i)}/formula`, text: formula })),
      ),
    /** A formula without a value leaves its variable without one, with a warning in the journal. */
    async assist(ctx, input) {
      const { scope } = calculation.parse(input);
      const { values, failures } = await formulas.solve(ctx, ctx.options.equations, scope);
      for (const { variable, formula, error } of failures) {
        const message = `The formula "${formula}" has no value, so "${variable}" has none: ${error.message}.`;
        ctx.warn(message, { variable, formula });
      }
      const failed = new Set(failures.map(({ variable }) => variable));
      const kept = Object.entries(scope).filter(([name]) => !failed.has(name));
      return { scope: { ...Object.fromEntries(kept), ...values } };
    },
  });
}
