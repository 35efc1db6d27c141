/**
 * Wake-ups across nodes: a commit that leaves work rings the doorbell, and a ring by another node wakes the worker for
 * it.
 */
import type { ChangeSet, Doorbell } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';
import type { RecordKind } from '../../records/index.js';
import type { CommitListener } from '../../transactions/index.js';
import type { BackgroundService } from '../worker.js';

export type WorkersByKind = Partial<Record<RecordKind, readonly { wake(): void }[]>>;

export class CrossNodeWakeUps implements BackgroundService, CommitListener {
  #unsubscribe: (() => void) | null = null;

  /** `workers`: those to wake for each kind of record. */
  constructor(
    private readonly doorbell: Doorbell,
    private readonly workers: WorkersByKind,
  ) {}

  committed({ changes }: ChangeSet): void {
    const rung = new Set<RecordKind>();
    for (const { op, kind, partition } of changes) {
      if (op === 'put' && partition === INSTANCE && this.workers[kind] !== undefined) rung.add(kind);
    }
    if (rung.size > 0) this.doorbell.ring(...rung);
  }

  start(): void {
    this.#unsubscribe ??= this.doorbell.subscribe((rung) => {
      for (const [kind, services] of Object.entries(this.workers)) {
        if (rung === 'all' || rung.has(kind)) for (const service of services) service.wake();
      }
    });
  }

  idle(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#unsubscribe?.();
    return Promise.resolve();
  }
}
