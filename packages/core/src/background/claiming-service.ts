/** What background services have in common: one worker, claims on what it does, and reports of what fails. */
import type { Clock, Logger, RetryState, Timers } from '../ports/index.js';
import type { BackgroundWork, Inspections } from '../telemetry/index.js';
import { KeyedWork } from './keyed-work.js';
import type { Leases } from './nodes/store-node.js';
import { earliest, nextPoll, type PolledStore } from './polling.js';
import { stuckWork, type StuckWork } from './stuck-work.js';
import { WorkClaims } from './work-claims.js';
import { Worker, type BackgroundService, type WorkerTask } from './worker.js';

export interface ServiceDeps {
  readonly store: PolledStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspections?: Inspections;
  /** Absent in a process that is alone. */
  readonly leases?: Leases | null;
}

export interface ServiceTask extends Omit<WorkerTask, 'run'> {
  /** Distinguishes the leases of this service from those of others. */
  readonly leases: string;
  /** As reported when it is stuck; not reported when absent. */
  readonly work?: BackgroundWork;
  /** The log entry of a failed claim, which is named by the fact `names`. */
  readonly failure?: { readonly names: string; readonly message: string };
}

export abstract class ClaimingService<Deps extends ServiceDeps> implements BackgroundService {
  protected readonly claims: WorkClaims;
  protected readonly work = new KeyedWork(() => this.worker.wake());
  protected readonly worker: Worker;

  constructor(
    protected readonly deps: Deps,
    private readonly task: ServiceTask,
  ) {
    const { clock, logger, leases = null } = deps;
    this.claims = new WorkClaims({ clock, logger, leases, backoff: task.backoff, work: task.leases });
    this.worker = new Worker({ ...task, run: () => this.run() }, deps);
  }

  start(): void {
    this.worker.start();
  }

  /** Looks for work that other nodes have added or left behind. */
  wake(): void {
    this.worker.wake();
  }

  /** Work may wake the worker, and the worker starts work. */
  async idle(): Promise<void> {
    do {
      await this.work.idle();
      await this.worker.idle();
    } while (this.work.keys.size > 0);
  }

  /** What is left is done after the next start. */
  async stop(): Promise<void> {
    await this.worker.stop();
    await this.work.idle();
  }

  stuck(): StuckWork[] {
    const { work } = this.task;
    return work === undefined ? [] : stuckWork(work, [this.worker.failure, ...this.claims.failures()]);
  }

  /** See `WorkerTask`. Work that it begins ends at the next safe point after `isStopping`. */
  protected abstract run(): Promise<number | null>;

  protected get isStopping(): boolean {
    return this.worker.stopping.aborted;
  }

  /** The earliest of that time, the end of the first pause, and the next poll of a shared store. */
  protected nextRun(next: number | null = null, underWay?: ReadonlySet<string>): number | null {
    return earliest(next, this.claims.nextDue(underWay), nextPoll(this.deps.store, this.deps.clock));
  }

  /** Returns a failed claim and reports it. It is retried after its pause. */
  protected async postpone(claim: string, error: unknown): Promise<void> {
    const state = await this.claims.postpone(claim, error);
    this.report(claim, error, state);
    this.worker.wakeAt(state.due);
  }

  protected report(claim: string, error: unknown, { failures, due }: RetryState): void {
    const { work, failure } = this.task;
    const { logger, inspections, clock } = this.deps;
    if (failure === undefined || work === undefined) return;
    logger.error(failure.message, { [failure.names]: claim, failures, retryInMs: due - clock.now(), error });
    inspections?.publish({ type: 'background.stuck', work, id: claim, failures });
  }
}
