/** `switchBlock`: continues a run along the outputs whose conditions are met (reference engine, section 7.19). */
import {
  type BlockNode,
  type BlockType,
  defineBlock,
  finding,
  type Finding,
  type JsonObject,
  REFRESH,
  RELEASE,
  type RunContext,
} from '@blockwork/core/block';
import {
  fieldReferences,
  type FormulaBlockOptions,
  FormulaError,
  formulaProblem,
  FormulaRunner,
  scopeOf,
} from '../formulas/index.js';
import { type Condition, switchOptions, type SwitchOptions } from './switch-options.js';

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

const switchFindings = (node: BlockNode, { conditions, executionFlow }: SwitchOptions): Finding[] => [
  ...(executionFlow === ''
    ? [optionFinding(node, 'executionFlow', 'it is neither firstTrue nor allTrue; all conditions are tried')]
    : []),
  ...conditions.flatMap((condition, at) => [
    ...tagFindings(node, conditions, at),
    ...formulaFindings(node, condition, at),
  ]),
];

const optionFinding = (node: BlockNode, option: string, message: string): Finding =>
  finding(node, { path: `/${option}`, message: `The switch "${node.tag}": ${message}.` });

function tagFindings(node: BlockNode, conditions: readonly Condition[], at: number): Finding[] {
  const { tag = '' } = conditions[at] ?? {};
  const option = `conditions/${String(at)}/tag`;
  if (tag === '') return [optionFinding(node, option, 'a condition has no tag, so its output has no name')];
  const isRepeated = conditions.findIndex((other) => other.tag === tag) < at;
  return isRepeated ? [optionFinding(node, option, `two conditions have the tag "${tag}"`)] : [];
}

function formulaFindings(node: BlockNode, { type, value }: Condition, at: number): Finding[] {
  const option = `conditions/${String(at)}`;
  if (type === '') {
    return [optionFinding(node, `${option}/type`, 'a condition is neither equal, not_equal nor unconditional')];
  }
  const problem = type === 'unconditional' ? null : formulaProblem(value);
  return problem === null
    ? []
    : [optionFinding(node, `${option}/value`, `the condition "${value}" cannot be evaluated: ${problem}`)];
}
