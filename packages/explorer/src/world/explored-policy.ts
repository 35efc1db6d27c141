/** A policy that can be reset to its initial state. */
import type { PolicyTree } from '@blockwork/core/block';
import {
  type OpenedPolicy,
  policyBench,
  type PolicyBench,
  type PolicyBenchOptions,
  type PolicySource,
  SequentialIds,
  SimulatedClock,
} from '@blockwork/testing';
import { PolicyWorld } from './policy-world.js';

/** A clock that can be reset to its start. */
class RestartedClock extends SimulatedClock {
  #start = 0;

  override now(): number {
    return super.now() - this.#start;
  }

  goBackTo(moment: number): void {
    this.#start = super.now() - moment;
  }
}

interface Started {
  readonly bench: PolicyBench;
  readonly opened: OpenedPolicy;
  readonly tree: PolicyTree;
  readonly clock: RestartedClock;
  readonly ids: SequentialIds;
  readonly moment: number;
}

/**
 * Importing a policy and checking it takes as long as dozens of moves, so a trial is emptied instead. Ids and the clock begin
 * again as well: every start is the same.
 */
export class ExploredPolicy {
  #started: Started | undefined;

  constructor(
    private readonly source: PolicySource,
    private readonly options: Pick<PolicyBenchOptions, 'status' | 'blocks' | 'limits'>,
  ) {}

  /** Throws the errors of `policyBench` for a policy with errors. */
  async open(): Promise<Pick<Started, 'opened' | 'tree'>> {
    return (this.#started ??= await this.#import());
  }

  /** Restarts the policy, ending the previous run. `users`: their number besides the owner. */
  async start(users: number): Promise<PolicyWorld> {
    if (!this.#isTrial) await this.close();
    const { bench, opened, tree, clock, ids, moment } = (this.#started ??= await this.#import());
    if (this.#isTrial) {
      clock.goBackTo(moment);
      ids.startAgain(FIRST_OF_WALK);
      await opened.engine.lifecycle.restart(opened.owner, opened.policyId);
    }
    return PolicyWorld.enter(bench, opened, tree, users);
  }

  async close(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    await started?.bench.close();
  }

  get #isTrial(): boolean {
    return (this.options.status ?? 'dry-run') === 'dry-run';
  }

  async #import(): Promise<Started> {
    const [clock, ids] = [new RestartedClock(), new SequentialIds()];
    const bench = policyBench(this.source, { ...this.options, clock, ids });
    const opened = await bench.open();
    const tree = await opened.engine.program.getPolicyTree(opened.policyId);
    return { bench, opened, tree, clock, ids, moment: clock.now() };
  }
}

/** Above the ids used by an import, so that ids of a walk never collide with the policy's. */
const FIRST_OF_WALK = 2 ** 32;
