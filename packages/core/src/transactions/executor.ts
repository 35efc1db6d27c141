/** The executor: carries out units of work, one at a time for each policy, and commits each as a whole. */
import { isBlockworkError } from '../errors.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import { Lanes } from './lanes.js';
import { UnitOfWork } from './unit-of-work.js';

export interface ExecutorOptions {
  /** How often a unit is run again when another process was faster. */
  readonly conflictRetries: number;
  /** Told of each change set that has become durable. */
  readonly onCommit?: (changeSet: ChangeSet) => void;
}

export interface Committed<T> {
  readonly result: T;
  readonly changes: number;
  readonly attempts: number;
}

export class Executor {
  readonly #lanes = new Lanes();

  constructor(
    private readonly store: PolicyStore,
    private readonly options: ExecutorOptions,
  ) {}

  /**
   * Runs `work` alone among the units of `lane`, and commits what it changed if none of the revision `keys` has
   * moved; on a conflict it runs again from the start. `work` must change nothing but through its unit.
   */
  async run<T>(lane: string, keys: readonly string[], work: (unit: UnitOfWork) => Promise<T>): Promise<Committed<T>> {
    return this.#lanes.run(lane, () => this.#attempt(keys, work, 1));
  }

  /** Runs `task` alone among the tasks of `lane`, without a unit of its own. */
  alone<T>(lane: string, task: () => Promise<T>): Promise<T> {
    return this.#lanes.run(lane, task);
  }

  /** Resolves when every unit under way has ended. */
  idle(): Promise<void> {
    return this.#lanes.idle();
  }

  async #attempt<T>(
    keys: readonly string[],
    work: (unit: UnitOfWork) => Promise<T>,
    attempts: number,
  ): Promise<Committed<T>> {
    const unit = await UnitOfWork.begin(this.store, keys);
    const result = await work(unit);
    const changeSet = unit.changeSet();
    if (changeSet === null) return { result, changes: 0, attempts };
    try {
      await this.store.commit(changeSet);
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT') || attempts > this.options.conflictRetries) throw error;
      return this.#attempt(keys, work, attempts + 1);
    }
    this.options.onCommit?.(changeSet);
    return { result, changes: changeSet.changes.length, attempts };
  }
}
