/** The executor: runs units of work, one after another in each lane, and commits each as a whole. */
import { BlockworkError } from '../errors.js';
import type { ChangeSet } from '../ports/index.js';
import { GroupCommit, type GroupCommitDeps } from './group-commit.js';
import { Contention } from './contention.js';
import type { Job, Outcome } from './job.js';
import type { Lane, RevisionKey } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

/** `conflictRetries`: how often a unit is retried after losing to another process. */
export type ExecutorDeps = GroupCommitDeps;

export interface Committed<T> {
  readonly result: T;
  readonly changes: number;
  /** Number of times the unit was run. */
  readonly attempts: number;
}

export class Executor {
  readonly #lanes = new Map<Lane, UnitLane>();
  readonly #underWay = new Set<Promise<void>>();

  readonly #deps: GroupCommitDeps;
  readonly #contention = new Contention();

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `work` exclusively among the units of `lane`, and commits its changes if none of the revision `keys` has
   * moved; on a conflict it is rerun from the start. `work` must have no effects except through its unit. Resolves and
   * rejects when the commit, and everything the unit has read, is durable.
   */
  run<T>(lane: Lane, keys: readonly RevisionKey[], work: (unit: UnitOfWork) => Promise<T>): Promise<Committed<T>> {
    return this.#track(
      new Promise((resolve, reject) => {
        const end = (outcome: Outcome): void => {
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome as Committed<T>);
        };
        this.#lane(lane).run({ keys, work, end });
      }),
    );
  }

  /** Runs `task` exclusively among the tasks of `lane`, without a unit of work. */
  runTask<T>(lane: Lane, task: () => Promise<T>): Promise<T> {
    return this.#track(
      new Promise((resolve, reject) => {
        this.#lane(lane).runTask({ task: () => task().then(resolve, reject), refuse: reject });
      }),
    );
  }

  /** Units and tasks of all lanes that have not started, and the number of lanes in use. */
  get load(): { readonly waiting: number; readonly lanes: number } {
    let loading = 0;
    for (const lane of this.#lanes.values()) loading += lane.waiting;
    return { waiting: loading, lanes: this.#lanes.size };
  }

  /** Resolves when every unit in progress has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Ends the units and tasks that have not started, with `ENGINE_CLOSED`. Returns their number. */
  refuseWaiting(): number {
    let refused = 0;
    for (const lane of this.#lanes.values()) refused += lane.refuseWaiting();
    return refused;
  }

  #lane(name: Lane): UnitLane {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      const own = { name, contention: this.#contention, onIdle: () => this.#lanes.delete(name) };
      lane = new UnitLane({ ...this.#deps, ...own });
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #track<T>(ending: Promise<T>): Promise<T> {
    const ended = ending.then(ignore, ignore).then(() => void this.#underWay.delete(ended));
    this.#underWay.add(ended);
    return ending;
  }
}

const ignore = (): void => undefined;

interface UnitLaneDeps extends GroupCommitDeps {
  readonly name: Lane;
  readonly contention: Contention;
  /** Called when nothing is queued, running or undurable. */
  readonly onIdle: () => void;
}

/** Runs alone in the lane, without a unit of work. */
interface Task {
  readonly task: () => Promise<void>;
  /** Called instead of `task` if it is not to start any more. */
  readonly refuse: (error: Error) => void;
}

class UnitLane {
  readonly #name: Lane;
  readonly #contention: Contention;
  readonly #onIdle: () => void;
  readonly #queue: (Job | Task)[] = [];
  readonly #group: GroupCommit;
  /** Jobs put back at the head of the queue while the present one runs. If that is rerun, it comes after them. */
  #requeued = 0;
  #isPumping = false;
  #wake: (() => void) | null = null;
  /** The job for which no lock was to be had. */
  #unlockable: Job | null = null;

  constructor({ name, contention, onIdle, ...deps }: UnitLaneDeps) {
    this.#name = name;
    this.#contention = contention;
    this.#onIdle = onIdle;
    this.#group = new GroupCommit(deps, name, {
      rerun: (jobs) => {
        this.#queue.unshift(...jobs);
        this.#requeued += jobs.length;
      },
      conflict: () => contention.onConflict(name),
      progress: () => this.#progressed(),
    });
  }

  /** Units and tasks that have not started. */
  get waiting(): number {
    return this.#queue.length;
  }

  run(unit: Pick<Job, 'keys' | 'work' | 'end'>): void {
    this.#enqueue({ ...unit, externalResults: new Map(), attempts: 0, conflicts: 0, isPresumed: false });
  }

  /**
   * Runs a task, which must not reject, when everything ahead of it is durable. Nothing else runs in the lane
   * meanwhile.
   */
  runTask(task: Task): void {
    this.#enqueue(task);
  }

  /** Ends everything that has not started, with `ENGINE_CLOSED`, and returns how much that was. */
  refuseWaiting(): number {
    const refused = this.#queue.splice(0);
    for (const item of refused) {
      const error = new BlockworkError('ENGINE_CLOSED');
      if ('task' in item) item.refuse(error);
      else item.end({ error });
    }
    this.#requeued = 0;
    this.#progressed();
    return refused.length;
  }

  #enqueue(item: Job | Task): void {
    this.#queue.push(item);
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let item = this.#queue[0]; item !== undefined; item = this.#queue[0]) {
      if (!this.#mayStart(item)) {
        const woken = new Promise<void>((resolve) => (this.#wake = resolve));
        this.#group.endBatch();
        await woken;
        continue;
      }
      if (!('task' in item) && this.#mustLock(item)) {
        await this.#lock(item);
        continue;
      }
      this.#queue.shift();
      this.#requeued = 0;
      if ('task' in item) await item.task();
      else await this.#run(item);
    }
    this.#isPumping = false;
    this.#group.endBatch();
    this.#checkIdle();
  }

  #mayStart(item: Job | Task): boolean {
    if ('task' in item) return this.#group.isEmpty && !this.#group.isLocked;
    return this.#group.mayStack(item);
  }

  #mustLock(job: Job): boolean {
    return (
      job !== this.#unlockable &&
      this.#group.isEmpty &&
      !this.#group.isLocked &&
      this.#contention.isContended(this.#name)
    );
  }

  /** A unit that gets no lock runs without it: if the store fails, that is for the unit to find out. */
  async #lock(job: Job): Promise<void> {
    const lock = await this.#group.lock(job.keys).catch(() => null);
    if (lock === null) this.#unlockable = job;
    else this.#contention.onLocked(this.#name, lock.hasWaited);
  }

  #progressed(): void {
    this.#wake?.();
    this.#wake = null;
    void this.#pump();
    this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#isPumping || this.#queue.length > 0 || !this.#group.isEmpty) return;
    this.#onIdle();
  }

  async #run(job: Job): Promise<void> {
    const { failures } = this.#group;
    this.#unlockable = null;
    job.attempts += 1;
    let outcome: Outcome;
    let unit: UnitOfWork | null = null;
    let confirmReads = (): void => undefined;
    let changeSet: ChangeSet | null = null;
    try {
      ({ unit, confirmReads } = await this.#group.begin(job));
      const result = await job.work(unit);
      changeSet = unit.changeSet();
      outcome = { result, changes: changeSet?.changes.length ?? 0, attempts: job.attempts };
    } catch (error) {
      outcome = { error: error as Error };
    } finally {
      unit?.end();
    }
    if (failures !== this.#group.failures) this.#queue.splice(this.#requeued, 0, job);
    else
      this.#group.add({
        job,
        outcome,
        expect: unit?.expectations ?? {},
        history: unit?.history,
        changeSet,
        created: unit?.created ?? new Set(),
        hostWork: changeSet === null ? undefined : unit?.hostWork,
        traceparent: unit?.traceparent,
        bytes: unit?.bytes ?? 0,
        confirmReads,
        watchers: [],
      });
  }
}
