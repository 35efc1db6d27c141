/** The executor: runs units of work, one after another in each lane, and commits each as a whole. */
import { BlockworkError } from '../errors.js';
import type { ChangeSet } from '../ports/index.js';
import { GroupCommit, type GroupCommitDeps } from './group-commit.js';
import type { Job, Left, Outcome } from './job.js';
import { type LaneTurn, LaneTurns, type LaneTurnsDeps } from './lane-turns.js';
import type { Lane, RevisionKey } from './revision-keys.js';
import type { UnitOfWork } from './unit-of-work.js';

/** `conflictRetries`: how often a unit is retried after losing to another process. */
export type ExecutorDeps = Omit<UnitLaneDeps, 'onIdle' | 'turn'> & {
  /** Turns between nodes; absent for a store that belongs to this process alone. */
  readonly turns?: LaneTurnsDeps | null;
};

export interface Committed<T> {
  readonly result: T;
  readonly changes: number;
  /** Number of times the unit was run. */
  readonly attempts: number;
}

/** A unit and its lane, which it may leave: `mayLeave` is asked before it waits for this node's turn. */
export interface MovableUnit<T> extends Pick<Job, 'keys' | 'mayLeave'> {
  readonly lane: Lane;
  readonly work: (unit: UnitOfWork) => Promise<T>;
}

export class Executor {
  readonly #lanes = new Map<Lane, UnitLane>();
  readonly #underWay = new Set<Promise<void>>();

  readonly #deps: Omit<UnitLaneDeps, 'onIdle' | 'turn'>;
  readonly #turns: LaneTurns | null;

  constructor({ turns, ...deps }: ExecutorDeps) {
    this.#deps = deps;
    this.#turns = turns ? new LaneTurns(turns) : null;
  }

  /**
   * Runs `work` exclusively among the units of `lane`, and commits its changes if none of the revision `keys` has
   * moved; on a conflict it is rerun from the start. `work` must have no effects except through its unit. Resolves and
   * rejects when the commit, and everything the unit has read, is durable.
   */
  run<T>(lane: Lane, keys: readonly RevisionKey[], work: (unit: UnitOfWork) => Promise<T>): Promise<Committed<T>> {
    return this.#run(lane, { keys, work }) as Promise<Committed<T>>;
  }

  /** As `run`, unless the unit leaves its lane: it has then changed nothing, neither here nor outside the store. */
  runOrLeave<T>({ lane, ...unit }: MovableUnit<T>): Promise<Committed<T> | Left> {
    return this.#run(lane, unit) as Promise<Committed<T> | Left>;
  }

  #run(name: Lane, unit: Pick<Job, 'keys' | 'work' | 'mayLeave'>): Promise<Outcome> {
    return this.#track(
      new Promise((resolve, reject) => {
        const end = (outcome: Outcome): void => {
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome);
        };
        this.#lane(name).run({ ...unit, end });
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
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.waiting;
    return { waiting, lanes: this.#lanes.size };
  }

  /** Whether several nodes have written to the lane recently. */
  isContended(lane: Lane): boolean {
    return this.#turns?.isContended(lane) ?? false;
  }

  /** The last revision of a key that this process has seen; `undefined` if nothing is cached under it. */
  lastRevision(key: RevisionKey): number | undefined {
    return this.#deps.caches?.revision(key);
  }

  /** Records that other nodes write to the lane, or want to. */
  markContended(lane: Lane): void {
    this.#turns?.of(lane).markContended();
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
      const turn = this.#turns?.of(name) ?? null;
      lane = new UnitLane({ ...this.#deps, turn, onIdle: () => this.#lanes.delete(name) });
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
  /** `null` for a store that belongs to this process alone. */
  readonly turn: LaneTurn | null;
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
  readonly #onIdle: () => void;
  readonly #turn: LaneTurn | null;
  readonly #queue: (Job | Task)[] = [];
  readonly #group: GroupCommit;
  /** Jobs put back at the head of the queue while the present one runs. If that is rerun, it comes after them. */
  #requeued = 0;
  #isPumping = false;
  #wake: (() => void) | null = null;

  constructor({ onIdle, turn, ...deps }: UnitLaneDeps) {
    this.#onIdle = onIdle;
    this.#turn = turn;
    this.#group = new GroupCommit(deps, {
      rerun: (jobs) => {
        this.#queue.unshift(...jobs);
        this.#requeued += jobs.length;
      },
      conflict: () => turn?.onConflict(),
      progress: () => this.#progressed(),
    });
  }

  /** Units and tasks that have not started. */
  get waiting(): number {
    return this.#queue.length;
  }

  run(unit: Pick<Job, 'keys' | 'work' | 'mayLeave' | 'end'>): void {
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
    this.#turn?.onBusy();
    void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (let item = this.#queue[0]; item !== undefined; item = this.#queue[0]) {
      if (!this.#mayStart(item)) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      if (!('task' in item) && this.#turn?.isOpen === false) {
        if (this.#hasLeft(item)) continue;
        await this.#turn.take(item.conflicts, () => this.#queue.length);
        continue;
      }
      this.#queue.shift();
      this.#requeued = 0;
      if ('task' in item) await item.task();
      else await this.#run(item);
    }
    this.#isPumping = false;
    this.#checkIdle();
  }

  /** Removes the first job from the queue if it may leave, so that its caller need not wait for this node's turn. */
  #hasLeft(job: Job): boolean {
    if (job.externalResults.size > 0 || job.mayLeave?.() !== true) return false;
    this.#queue.shift();
    job.end({ hasLeft: true, attempts: job.attempts });
    return true;
  }

  #mayStart(item: Job | Task): boolean {
    // Undurable units belong to the turn that has ended.
    const isAlone = 'task' in item || this.#turn?.isOpen === false;
    return isAlone ? this.#group.isEmpty : this.#group.mayStack(item);
  }

  #progressed(): void {
    this.#wake?.();
    this.#wake = null;
    void this.#pump();
    this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#isPumping || this.#queue.length > 0 || !this.#group.isEmpty) return;
    this.#turn?.onIdle();
    this.#onIdle();
  }

  async #run(job: Job): Promise<void> {
    const { failures } = this.#group;
    this.#turn?.onUnitStarted();
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
        traceparent: unit?.traceparent,
        bytes: unit?.bytes ?? 0,
        confirmReads,
        watchers: [],
      });
  }
}
