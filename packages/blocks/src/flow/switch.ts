/** `switchBlock`: sends a run on along the outputs whose conditions are met (reference engine, section 7.19). */
import type { Block, BlockEvent, BlockNode, Finding, JsonObject, RunContext } from '@blockwork/core/block';
import { z } from 'zod';
import { listOf, text } from '../common/option-schemas.js';
import { formula, FormulaError, scopeOf } from '../formulas/index.js';
import { switchFindings } from './switch-findings.js';

const condition = z.object({
  type: text.pipe(z.enum(['equal', 'not_equal', 'unconditional', ''])),
  /** A formula over the fields of the document's subject. */
  value: text,
  /** In whose name the run goes on: `owner`, `issuer`, otherwise the current user. */
  actor: text.pipe(z.enum(['owner', 'issuer', ''])),
  /** The output. */
  tag: text,
});
export type Condition = z.infer<typeof condition>;

const options = z.object({
  executionFlow: text.pipe(z.enum(['firstTrue', 'allTrue', ''])),
  conditions: listOf(condition),
});
export type SwitchOptions = z.infer<typeof options>;

export class Switch implements Block<SwitchOptions> {
  readonly about = {
    type: 'switchBlock',
    title: 'Switch',
    description: 'Sends documents along the output of the first condition that they meet, or of all.',
    kind: 'server',
    children: 'none',
    outputs: ['RefreshEvent', 'ReleaseEvent'],
  } as const;
  readonly options = options;

  outputs({ conditions }: SwitchOptions): readonly string[] {
    return conditions.map(({ tag }) => tag).filter((tag) => tag !== '');
  }

  check(node: BlockNode, written: SwitchOptions): Finding[] {
    return switchFindings(node, written);
  }

  readonly on = {
    RunEvent: async (ctx: RunContext<SwitchOptions>, { data }: BlockEvent): Promise<void> => {
      const scope = scopeOf(data);
      const { conditions, executionFlow } = ctx.options;
      for (const each of conditions) {
        if (!isMet(ctx, each, scope)) continue;
        const user = await ctx.users.actor(each.actor, data);
        if (each.tag !== '') ctx.emit(each.tag, data, user);
        ctx.emit('RefreshEvent', data, user);
        if (executionFlow === 'firstTrue') break;
      }
      ctx.emit('ReleaseEvent', null);
    },
  };
}

/** What cannot be worked out is not met, either way; the journal says why. */
function isMet(ctx: RunContext<SwitchOptions>, { type, value, tag }: Condition, scope: JsonObject | null): boolean {
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
