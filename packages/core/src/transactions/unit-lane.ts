/** A lane: a queue of units of work and tasks that run one after another. Units may start before those ahead of them are durable (Promise 3). */
import type { ChangeSet } from '../ports/index.js';
import { GroupCommit, type GroupCommitDeps } from './group-commit.js';
import type { Job, Outcome } from './job.js';
import type { LaneTurn } from './lane-turns.js';
import type { UnitOfWork } from './unit-of-work.js';

export interface UnitLaneDeps extends GroupCommitDeps {
  /** `null` for a store that belongs to this process alone. */
  readonly turn: LaneTurn | null;
  /** Called when nothing is queued, running or undurable. */
  readonly onIdle: () => void;
}

/** Runs alone in the lane, without a unit of work. */
interface Task {
  readonly task: () => Promise<void>;
}

export class UnitLane {
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
   * Runs `task`, which must not reject, when everything ahead of it is durable. Nothing else runs in the lane
   * meanwhile.
   */
  runTask(task: () => Promise<void>): void {
    this.#enqueue({ task });
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
        changeSet,
        traceparent: unit?.traceparent,
        bytes: unit?.bytes ?? 0,
        confirmReads,
        watchers: [],
      });
  }
}
