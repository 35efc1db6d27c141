/** Replays moves in a fresh policy. */
import type { ExploredPolicy } from './world/explored-policy.js';
import type { CheckedInvariant } from './invariants.js';
import type { Move } from './move.js';
import { Observer } from './observer.js';
import { IMPOSSIBLE, type Outcome } from './world/policy-world.js';

/** The initial state of a run of the policy. */
export interface Stage {
  readonly policy: ExploredPolicy;
  readonly users: number;
  readonly invariants: readonly CheckedInvariant[];
}

export interface Replay {
  readonly observer: Observer;
  /** The moves that were possible, with their outcomes. */
  readonly done: readonly { readonly move: Move; readonly outcome: Outcome }[];
}

export async function replay({ policy, users, invariants }: Stage, moves: readonly Move[]): Promise<Replay> {
  const world = await policy.start(users);
  const observer = new Observer(invariants);
  observer.startWalk();
  const done: { move: Move; outcome: Outcome }[] = [];
  const path: Move[] = [];
  for (const move of moves) {
    const who = world.whoMoves(move);
    const outcome = await world.perform(move);
    if (outcome.refusal?.code === IMPOSSIBLE) continue;
    done.push({ move, outcome });
    path.push(move);
    await observer.learn(world, outcome, { path, who });
  }
  return { observer, done };
}
