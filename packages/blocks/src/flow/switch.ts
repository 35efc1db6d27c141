/** `switchBlock`: continues a run along the outputs whose conditions are met (reference engine, section 7.19). */
import { defineBlock, REFRESH, RELEASE, type JsonObject, type RunContext } from '@blockwork/core/block';
import { formula, FormulaError, scopeOf } from '../formulas/index.js';
import { switchFindings } from './switch-findings.js';
import { switchOptions, type Condition } from './switch-options.js';

export const switchBlock = defineBlock({
  type: 'switchBlock',
  title: 'Switch',
  description: 'Sends documents along the output of the first condition that they meet, or of all.',
  kind: 'server',
  options: switchOptions,
  outputs: ({ conditions }) => [RELEASE, ...conditions.map(({ tag }) => tag).filter((tag) => tag !== '')],
  check: switchFindings,
  on: {
    async RunEvent(ctx, { data }) {
      const scope = scopeOf(data);
      const { conditions, executionFlow } = ctx.options;
      for (const each of conditions) {
        if (!isMet(ctx, each, scope)) continue;
        const user = await ctx.users.actor(each.actor, data);
        if (each.tag !== '') ctx.emit(each.tag, data, { user });
        ctx.emit(REFRESH, data, { user });
        if (executionFlow === 'firstTrue') break;
      }
      ctx.emit(RELEASE);
    },
  },
});

/** A condition that cannot be evaluated is not met, whatever its type; the journal says why. */
function isMet(ctx: RunContext, { type, value, tag }: Condition, scope: JsonObject | null): boolean {
  if (type === 'unconditional') return true;
  if (type === '' || scope === null) return false;
  try {
    const result = formula(value, { comparison: 'strict' }).evaluate(scope);
    return Boolean(result) === (type === 'equal');
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    ctx.warn(`The condition "${value}" of "${tag}" cannot be worked out, and counts as not met: ${error.message}.`, {
      condition: value,
      output: tag,
    });
    return false;
  }
}
