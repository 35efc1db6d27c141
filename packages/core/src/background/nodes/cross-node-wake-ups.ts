/**
 * Wake-ups across nodes: a commit that leaves work notifies the other nodes, and a notification of another node wakes the worker for
 * it.
 */
import type { ChangeSet, NodeNotifier } from '../../ports/index.js';
import { INSTANCE } from '../../records/index.js';
import type { RecordKind } from '../../records/index.js';
import type { CommitListener } from '../../transactions/index.js';
import type { BackgroundService } from '../worker.js';

export type WorkersByKind = Partial<Record<RecordKind, readonly { wake(): void }[]>>;

export class CrossNodeWakeUps implements BackgroundService, CommitListener {
  #unsubscribe: (() => void) | null = null;

  /** `workers`: those to wake for each kind of record. */
  constructor(
    private readonly notifier: NodeNotifier,
    private readonly workers: WorkersByKind,
  ) {}

  committed({ changes }: ChangeSet): void {
    const notified = new Set<RecordKind>();
    for (const { op, kind, partition } of changes) {
      if (op === 'put' && partition === INSTANCE && this.workers[kind] !== undefined) notified.add(kind);
    }
    if (notified.size > 0) this.notifier.notify(...notified);
  }

  start(): void {
    this.#unsubscribe ??= this.notifier.subscribe((notified) => {
      for (const [kind, services] of Object.entries(this.workers)) {
        if (notified === 'all' || notified.has(kind)) for (const service of services) service.wake();
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
