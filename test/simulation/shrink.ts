/** Makes a failing simulation short: leaves out rounds and actions, as long as the same promise is broken. */
import { roundOf } from './plan.js';
import { simulate, type Outcome, type SimulationOptions } from './world.js';

export interface Shrunk {
  readonly options: SimulationOptions;
  readonly outcome: Outcome;
  /** Actions that are left, of how many. */
  readonly left: number;
  readonly actions: number;
}

/** `attempts`: simulations at most. */
export async function shrink(options: SimulationOptions, failed: Outcome, attempts = 300): Promise<Shrunk> {
  const { problem } = failed;
  if (problem === null) throw new Error('Only a failing simulation can be made shorter.');
  let tried = 0;
  let best = { options, outcome: failed };
  const attempt = async (change: Partial<SimulationOptions>): Promise<boolean> => {
    tried += 1;
    // One that goes on for much longer does not break at the same place.
    const shorter = { ...best.options, ...change, steps: Math.ceil(best.outcome.steps * 1.5) };
    const outcome = await simulate(shorter);
    if (outcome.problem?.invariant !== problem.invariant) return false;
    best = { options: shorter, outcome };
    return true;
  };
  const first = options.from ?? 0;
  for (let from = problem.round; from > first && !(await attempt({ from })); from = Math.floor((from + first) / 2));
  const all = actionsOf(best);
  for (let size = Math.ceil(all.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const left = leftOf(all, best.options);
    for (let at = left.length; at > 0 && tried < attempts; at -= size) {
      const without = new Set([...(best.options.without ?? []), ...left.slice(Math.max(0, at - size), at)]);
      await attempt({ without });
    }
    if (tried >= attempts) break;
  }
  return { ...best, left: leftOf(all, best.options).length, actions: all.length };
}

/** The ids of the actions from the first round to the one with the problem. */
function actionsOf({ options, outcome }: { options: SimulationOptions; outcome: Outcome }): string[] {
  const { from = 0, seed } = options;
  const last = outcome.problem?.round ?? from;
  return Array.from({ length: last - from + 1 }, (_, at) => roundOf(seed, from + at).actions)
    .flat()
    .map(({ id }) => id);
}

const leftOf = (all: readonly string[], { without }: SimulationOptions): string[] =>
  all.filter((id) => without?.has(id) !== true);
