/**
 * A lane runs units of work one after another, each on top of those before it, and commits them in groups: while one group is on its way to
 * the disk, the units that end gather in the next. What a unit gives is given when everything that it stands on is durable; where that
 * fails, the unit runs again.
 */
import { BlockworkError, isBlockworkError } from '../errors.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import type { CommitListener } from './commit-listeners.js';
import { LayeredReader } from './layered-reader.js';
import type { RevisionKey } from './revision-keys.js';
import { UndurableChanges } from './undurable-changes.js';
import { UnitOfWork } from './unit-of-work.js';

export interface UnitLaneDeps {
  readonly store: PolicyStore;
  readonly commits: CommitListener;
  readonly limits: { readonly conflictRetries: number };
  /** Called when nothing runs, waits or is on its way to the disk. */
  readonly onIdle: () => void;
}

/** A unit of work that waits, runs, or has ended and is not durable yet. */
interface Job {
  readonly keys: readonly RevisionKey[];
  readonly work: (unit: UnitOfWork) => Promise<unknown>;
  /** How often it was begun. */
  attempts: number;
  /** How often its own commit was refused. */
  refusals: number;
  /** Called once, when the outcome is final. */
  readonly end: (outcome: Outcome) => void;
}

/** What came of a unit. */
export type Outcome =
  { readonly result: unknown; readonly changes: number; readonly attempts: number } | { readonly error: Error };

/** A task that is alone in the lane, without a unit. */
interface Task {
  readonly task: () => Promise<void>;
}

/** A unit that has ended. */
interface Ended {
  readonly job: Job;
  readonly outcome: Outcome;
  /** The revisions that it began with; none where it could not even begin. */
  readonly expect: Readonly<Record<string, number>>;
  /** `null` where it changed nothing, also since it failed. */
  readonly changeSet: ChangeSet | null;
  /** Tells a unit that reads on top of it what became of it. */
  readonly watchers: (() => void)[];
}

/** Units that have ended and are not durable: beyond that the lane waits. */
const UNITS_AT_MOST = 256;
const CHANGES_AT_MOST = 10_000;

export class UnitLane {
  readonly #deps: UnitLaneDeps;
  readonly #isStacking: boolean;
  readonly #waiting: (Job | Task)[] = [];
  readonly #changes = new UndurableChanges();
  /** The group on its way to the disk, and the one that gathers. */
  #committing: Ended[] = [];
  #ready: Ended[] = [];
  /** The key of the units that are not durable, and what one on top of them expects of it; `null` where none may stand on them. */
  #key: RevisionKey | null = null;
  #next = 0;
  /** Counts failures: a unit that began before one stands on what will never be. */
  #failures = 0;
  /** How many jobs were put back in front of those that wait, while a unit ran. */
  #putBack = 0;
  #isPumping = false;
  #wake: (() => void) | null = null;

  constructor(deps: UnitLaneDeps) {
    this.#deps = deps;
    const { store } = deps;
    // A store that is not durable acknowledges at once.
    this.#isStacking = store.capabilities.durable && store.commitChain !== undefined;
  }

  /** `end` is called once, when the outcome is final. */
  run(keys: readonly RevisionKey[], work: Job['work'], end: Job['end']): void {
    this.#enqueue({ keys, work, attempts: 0, refusals: 0, end });
  }

  /** Runs `task`, which must not reject, when everything before it is durable, and nothing beside it. */
  alone(task: () => Promise<void>): void {
    this.#enqueue({ task });
  }

  get #hasUndurable(): boolean {
    return this.#committing.length + this.#ready.length > 0;
  }

  #enqueue(item: Job | Task): void {
    this.#waiting.push(item);
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let item = this.#waiting[0]; item !== undefined; item = this.#waiting[0]) {
      if (!this.#mayStart(item)) {
        await this.#change();
        continue;
      }
      this.#waiting.shift();
      this.#putBack = 0;
      if ('task' in item) await item.task();
      else await this.#run(item);
    }
    this.#isPumping = false;
    this.#restIfIdle();
  }

  #restIfIdle(): void {
    if (!this.#isPumping && this.#waiting.length === 0 && !this.#hasUndurable) this.#deps.onIdle();
  }

  /** A unit stands only on units of the same single key: others are seen outside of the lane, and so wait and are waited for. */
  #mayStart(item: Job | Task): boolean {
    if (!this.#hasUndurable) return true;
    if ('task' in item || !this.#isStacking || this.#key === null || singleKey(item) !== this.#key) return false;
    return this.#committing.length + this.#ready.length < UNITS_AT_MOST && this.#changes.size < CHANGES_AT_MOST;
  }

  /** Resolves when a group has become durable or has failed. */
  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  async #run(job: Job): Promise<void> {
    const failures = this.#failures;
    job.attempts += 1;
    let outcome: Outcome;
    let unit: UnitOfWork | null = null;
    let changeSet: ChangeSet | null = null;
    try {
      unit = await this.#begin(job);
      const result = await job.work(unit);
      changeSet = unit.changeSet();
      outcome = { result, changes: changeSet?.changes.length ?? 0, attempts: job.attempts };
    } catch (error) {
      outcome = { error: error as Error };
    }
    if (failures !== this.#failures) this.#waiting.splice(this.#putBack, 0, job);
    else this.#ended({ job, outcome, expect: unit?.expectations ?? {}, changeSet, watchers: [] });
  }

  async #begin({ keys }: Job): Promise<UnitOfWork> {
    const { store } = this.#deps;
    const last = this.#ready.at(-1) ?? this.#committing.at(-1);
    const key = this.#key;
    // Units that changed nothing leave the store as it is.
    if (last === undefined || key === null || this.#changes.size === 0) return UnitOfWork.begin(store, keys);
    const failures = this.#failures;
    const assertCurrent = (): void => {
      if (failures !== this.#failures) throw new BlockworkError('CONFLICT', { facts: { key } });
    };
    const durable = async (): Promise<void> => {
      assertCurrent();
      if (this.#committing.includes(last) || this.#ready.includes(last)) {
        await new Promise<void>((resolve) => last.watchers.push(resolve));
      }
      assertCurrent();
    };
    const reader = new LayeredReader({ store, changes: this.#changes, key, assertCurrent, durable });
    return UnitOfWork.on(reader, { [key]: this.#next });
  }

  #ended(ended: Ended): void {
    const { changeSet, job } = ended;
    if (changeSet !== null) {
      this.#key = singleKey(job);
      if (this.#key !== null) this.#next = (changeSet.expect[this.#key] ?? 0) + 1;
      this.#changes.add(changeSet);
    }
    this.#ready.push(ended);
    this.#flush();
  }

  /** Gives the group that has gathered to the store, once the one before it is durable. */
  #flush(): void {
    if (this.#committing.length > 0) return;
    this.#committing = this.#ready;
    this.#ready = [];
    if (this.#committing.length > 0) void this.#finish(this.#committing);
  }

  async #finish(group: readonly Ended[]): Promise<void> {
    const changeSets = group.flatMap(({ changeSet }) => changeSet ?? []);
    const [only, ...others] = changeSets;
    try {
      if (only === undefined) await this.#assertUnmoved(group);
      else if (others.length === 0) await this.#deps.store.commit(only);
      else await this.#deps.store.commitChain?.(changeSets);
    } catch (error) {
      await this.#refused(group, changeSets.length, error);
      return;
    }
    this.#committing = [];
    for (const ended of group) this.#acknowledge(ended);
    this.#settled();
  }

  /** Throws `CONFLICT` where units that changed nothing may have seen something that never was: a part of what others changed meanwhile. */
  async #assertUnmoved(group: readonly Ended[]): Promise<void> {
    for (const { expect } of group) {
      for (const [key, number] of Object.entries(expect)) {
        if ((await this.#deps.store.revision(key)) !== number) throw new BlockworkError('CONFLICT', { facts: { key } });
      }
    }
  }

  #acknowledge(ended: Ended): void {
    const { changeSet } = ended;
    if (changeSet !== null) {
      this.#changes.remove(changeSet);
      this.#deps.commits.committed(changeSet);
    }
    give(ended);
  }

  #settled(): void {
    this.#flush();
    this.#wake?.();
    this.#wake = null;
    void this.#pump();
    this.#restIfIdle();
  }

  async #refused(group: readonly Ended[], size: number, error: unknown): Promise<void> {
    if (isBlockworkError(error, 'CONFLICT')) this.#failed(this.#conflicting(group), error);
    else if (size > 1 && isBlockworkError(error, 'STORE_UNAVAILABLE')) await this.#commitSingly(group);
    else this.#failed(size > 0 ? group.filter(({ changeSet }) => changeSet !== null) : group, error);
  }

  /** The units that are given up: the first one, after many attempts. */
  #conflicting([first]: readonly Ended[]): Ended[] {
    if (first === undefined) return [];
    first.job.refusals += 1;
    return first.job.refusals > this.#deps.limits.conflictRetries ? [first] : [];
  }

  /** Finds the unit that the store does not take. Where it does not even take the first one, it takes none now. */
  async #commitSingly(group: readonly Ended[]): Promise<void> {
    for (const [at, ended] of group.entries()) {
      try {
        if (ended.changeSet !== null) await this.#deps.store.commit(ended.changeSet);
      } catch (error) {
        const rest = group.slice(at).filter(({ changeSet }) => changeSet !== null);
        if (isBlockworkError(error, 'CONFLICT')) this.#failed(this.#conflicting(rest), error);
        else this.#failed(at === 0 ? rest : [ended], error);
        return;
      }
      this.#committing = group.slice(at + 1);
      this.#acknowledge(ended);
    }
    this.#settled();
  }

  /** `given up` get the error; all others that are not durable run again, in their order, before those that wait. */
  #failed(givenUp: readonly Ended[], error: unknown): void {
    const undurable = [...this.#committing, ...this.#ready];
    const again = undurable.filter((ended) => !givenUp.includes(ended)).map(({ job }) => job);
    this.#committing = [];
    this.#ready = [];
    this.#changes.clear();
    this.#failures += 1;
    this.#waiting.unshift(...again);
    this.#putBack += again.length;
    // One that could not even begin says why; what others have seen is not certain.
    for (const { job, outcome, expect } of givenUp)
      job.end(Object.keys(expect).length === 0 ? outcome : { error: error as Error });
    for (const { watchers } of undurable) for (const watch of watchers) watch();
    this.#settled();
  }
}

const singleKey = ({ keys: [first, ...others] }: Job): RevisionKey | null =>
  first !== undefined && others.length === 0 ? first : null;

/** What a unit gives, when it is durable. */
const give = ({ job, outcome, watchers }: Ended): void => {
  job.end(outcome);
  for (const watch of watchers) watch();
};
