/** The executor: carries out units of work, one at a time for each policy, and commits each as a whole. */
import { isBlockworkError } from '../errors.js';
import type { PolicyStore } from '../ports/index.js';
import type { CommitListener } from './commit-listeners.js';
import { Lanes } from './lanes.js';
import type { Lane, RevisionKey } from './revision-keys.js';
import { UnitOfWork } from './unit-of-work.js';

export interface ExecutorDeps {
  readonly store: PolicyStore;
  /** Called after each commit. */
  readonly commits: CommitListener;
  /** `conflictRetries`: how often a unit is run again when another process was faster. */
  readonly limits: { readonly conflictRetries: number };
}

export interface Committed<T> {
  readonly result: T;
  readonly changes: number;
  readonly attempts: number;
}

export class Executor {
  readonly #lanes = new Lanes();

  constructor(private readonly deps: ExecutorDeps) {}

  /**
   * Runs `work` alone among the units of `lane`, and commits what it changed if none of the revision `keys` has
   * moved; on a conflict it runs again from the start. `work` must change nothing but through its unit.
   */
  async run<T>(
    lane: Lane,
    keys: readonly RevisionKey[],
    work: (unit: UnitOfWork) => Promise<T>,
  ): Promise<Committed<T>> {
    return this.#lanes.run(lane, () => this.#attempt(keys, work, 1));
  }

  /** Runs `task` alone among the tasks of `lane`, without a unit of its own. */
  alone<T>(lane: Lane, task: () => Promise<T>): Promise<T> {
    return this.#lanes.run(lane, task);
  }

  /** Resolves when every unit under way has ended. */
  idle(): Promise<void> {
    return this.#lanes.idle();
  }

  async #attempt<T>(
    keys: readonly RevisionKey[],
    work: (unit: UnitOfWork) => Promise<T>,
    attempts: number,
  ): Promise<Committed<T>> {
    const { store, commits, limits } = this.deps;
    const unit = await UnitOfWork.begin(store, keys);
    const result = await work(unit);
    const changeSet = unit.changeSet();
    if (changeSet === null) return { result, changes: 0, attempts };
    try {
      await store.commit(changeSet);
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT') || attempts > limits.conflictRetries) throw error;
      return this.#attempt(keys, work, attempts + 1);
    }
    commits.committed(changeSet);
    return { result, changes: changeSet.changes.length, attempts };
  }
}
