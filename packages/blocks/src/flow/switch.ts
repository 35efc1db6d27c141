/** `switchBlock`: continues a run along the outputs whose conditions are met (reference engine, section 7.19). */
import { defineBlock, REFRESH, RELEASE, type BlockType, type JsonObject, type RunContext } from '@blockwork/core/block';
import { fieldReferences, FormulaError, FormulaRunner, scopeOf, type FormulaBlockOptions } from '../formulas/index.js';
import { switchFindings } from './switch-findings.js';
import { switchOptions, type Condition } from './switch-options.js';

/** Throws `OPTION_INVALID`. */
export function switchBlock(settings: FormulaBlockOptions = {}): BlockType {
  const formulas = new FormulaRunner(settings, 'switchBlock');
  return defineBlock({
    type: 'switchBlock',
    title: 'Switch',
    description: 'Sends documents along the output of the first condition that holds, or of every one that holds.',
    kind: 'server',
    options: switchOptions,
    outputs: ({ conditions }) => [RELEASE, ...conditions.map(({ tag }) => tag).filter((tag) => tag !== '')],
    references: ({ conditions }) =>
      conditions.flatMap(({ type, value }, at) =>
        type === 'unconditional' ? [] : fieldReferences(value, `/conditions/${String(at)}/value`),
      ),
    check: switchFindings,
    on: {
      async RunEvent(ctx, { data }) {
        const scope = scopeOf(data);
        const { conditions, executionFlow } = ctx.options;
        for (const each of conditions) {
          if (!(await isMet(ctx, formulas, each, scope))) continue;
          const user = await ctx.users.actor(each.actor, data);
          if (each.tag !== '') ctx.emit(each.tag, data, { user });
          ctx.emit(REFRESH, data, { user });
          if (executionFlow === 'firstTrue') break;
        }
        ctx.emit(RELEASE);
      },
    },
  });
}

/** A condition of any type that cannot be evaluated counts as not met; the reason goes to the journal. */
async function isMet(
  ctx: RunContext,
  formulas: FormulaRunner,
  { type, value, tag }: Condition,
  scope: JsonObject | null,
): Promise<boolean> {
  if (type === 'unconditional') return true;
  if (type === '' || scope === null) return false;
  try {
    return (await formulas.holds(ctx, value, scope)) === (type === 'equal');
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const message = `The condition "${value}" of "${tag}" cannot be evaluated, and counts as not met: ${error.message}.`;
    ctx.warn(message, { condition: value, output: tag });
    return false;
  }
}
