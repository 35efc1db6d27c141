/** The message outbox: sends messages to other instances after the commit that caused them, at least once. */
import type { ChangeSet, Clock, Inspector, Link, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { Json, OutboxMessage } from '../records/index.js';
import { InFlight } from './in-flight.js';
import { KeyedBackoff } from './keyed-backoff.js';
import { Worker, type BackgroundService } from './worker.js';

export interface MessageOutboxDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspector: Inspector;
  /** Puts a message into its envelope just before it is sent; it is sent as it is when absent. */
  readonly seal?: (message: Json) => Promise<Json>;
}

const BATCH = 100;
const backoff = { firstMs: 200, longestMs: 30_000 };

export class MessageOutbox implements BackgroundService {
  /** By message id: failed messages are retried with exponential backoff. */
  readonly #failing: KeyedBackoff;
  /** Ids that were sent and are being deleted. */
  readonly #sent = new Set<string>();
  readonly #deletions = new InFlight();
  readonly #worker: Worker;

  constructor(private readonly deps: MessageOutboxDeps) {
    this.#failing = new KeyedBackoff(backoff, deps.clock);
    const run = (signal: AbortSignal) => this.#run(signal);
    this.#worker = new Worker({ name: 'message outbox', backoff, keepsProcessAlive: true, run }, deps);
  }

  committed({ changes }: ChangeSet): void {
    if (changes.some(({ kind, op }) => kind === 'outbox' && op === 'put')) this.#worker.wake();
  }

  start(): void {
    this.#worker.start();
  }

  async idle(): Promise<void> {
    await this.#worker.idle();
    await this.#deletions.idle();
  }

  /** What is pending is sent after the next start. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#deletions.idle();
  }

  async #run(signal: AbortSignal): Promise<number | null> {
    while (!signal.aborted) {
      const due = await this.#due();
      if (due.length === 0) break;
      await this.#sendBatch(due);
    }
    return this.#failing.nextDue();
  }

  /** The oldest messages that are neither sent already nor backing off. */
  async #due(): Promise<OutboxMessage[]> {
    // Copied before the read, which may still find what is deleted in the meantime.
    const sent = new Set(this.#sent);
    const limit = BATCH + sent.size + this.#failing.size;
    const found = await this.deps.store.find('outbox', INSTANCE, { limit });
    const due = found.filter(({ id }) => !sent.has(id) && !this.#failing.isWaiting(id));
    // All that is left was found: what failed and is no longer there was sent by another process.
    if (due.length === 0) this.#failing.keepOnly(new Set(found.map(({ id }) => id)));
    return due.slice(0, BATCH);
  }

  /** Deleted only after the link has them: a crash in between sends them twice, under the same keys. */
  async #sendBatch(batch: readonly OutboxMessage[]): Promise<void> {
    const { link, inspector, seal = (message: Json) => Promise.resolve(message) } = this.deps;
    // Sealed together, published in order.
    const sealed = await Promise.all(batch.map(async (each) => ({ ...each, body: await seal(each.message) })));
    const outcomes = await Promise.allSettled(sealed.map(({ topic, body, id }) => link.publish(topic, body, id)));
    const sent = batch.filter((message, at) => this.#isSent(message, outcomes[at]));
    if (sent.length > 0) this.#delete(sent.map(({ id }) => id));
    for (const { id, topic } of sent) inspector({ type: 'outbox.sent', id, topic });
  }

  #isSent({ id, topic }: OutboxMessage, outcome: PromiseSettledResult<string> | undefined): boolean {
    if (outcome?.status === 'fulfilled') {
      this.#failing.succeeded(id);
      return true;
    }
    const { failures } = this.#failing.failed(id);
    const error: unknown = outcome?.reason;
    this.deps.logger.warn('A message was not sent; it will be retried.', { id, topic, failures, error });
    this.deps.inspector({ type: 'outbox.failed', id, topic, attempts: failures });
    return false;
  }

  /** Runs while the next batch is sent. */
  #delete(ids: readonly string[]): void {
    for (const id of ids) this.#sent.add(id);
    const changes = ids.map((id) => ({ op: 'delete', kind: 'outbox', partition: INSTANCE, id }) as const);
    const deletion = this.deps.store
      .commit({ expect: {}, changes })
      .catch((error: unknown) => this.#notDeleted(ids, error))
      .finally(() => {
        for (const id of ids) this.#sent.delete(id);
      });
    this.#deletions.add(deletion);
  }

  /** They are sent again, under the same keys. */
  #notDeleted(ids: readonly string[], error: unknown): void {
    this.deps.logger.warn('Sent messages could not be deleted from the outbox and will be sent again.', { ids, error });
    for (const id of ids) this.#worker.wakeAt(this.#failing.failed(id).due);
  }
}
