/** The outbox: messages that were committed with the change that caused them leave from here, at least once each. */
import type { ChangeSet, Clock, Inspector, Link, Logger, PolicyStore, Timers } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { Json, OutboxMessage } from '../records/index.js';

export interface MessageOutboxDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly inspector: Inspector;
  /** Puts the message into its envelope, at the last moment; as it is when absent. */
  readonly seal?: (message: Json) => Promise<Json>;
}

const BATCH = 100;
/** Milliseconds until what failed is tried again, at first and at most. */
const RETRY = [200, 30_000] as const;

/** How often a message has failed, and when it may be tried again. */
interface Failed {
  readonly attempts: number;
  readonly at: number;
}

export class MessageOutbox {
  readonly #failed = new Map<string, Failed>();
  #sending: Promise<void> = Promise.resolve();
  #waiting = false;
  #isOpen = true;
  #cancelRetry: (() => void) | null = null;
  #storeFailures = 0;
  /** Sent, and about to be taken out. */
  readonly #gone = new Map<string, Promise<void>>();

  constructor(private readonly ports: MessageOutboxDeps) {}

  /** To be told of every commit: sends when there is something new to send. */
  notice(changeSet: ChangeSet): void {
    if (changeSet.changes.some((change) => change.kind === 'outbox' && change.op === 'put')) this.send();
  }

  /** Sends everything that is waiting. What fails stays, and is tried again after a while, the longer the oftener it failed. */
  send(): void {
    if (this.#waiting || !this.#isOpen) return;
    this.#waiting = true;
    this.#sending = this.#sending.then(async () => {
      this.#waiting = false;
      try {
        await this.#sendAll();
        this.#storeFailures = 0;
      } catch (error) {
        this.ports.logger.warn('The outbox could not be read or written; it is tried again.', { error });
        this.#retryAt(this.ports.clock.now() + delayAfter((this.#storeFailures += 1)));
      }
    });
  }

  /** Resolves when nothing is being sent, and what was sent is taken out. */
  async idle(): Promise<void> {
    await this.#sending;
    await Promise.all(this.#gone.values());
  }

  /** Sends nothing more, and resolves when nothing is being sent. What is left waits for the next engine on the store. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    await this.idle();
    this.#cancelRetry?.();
  }

  async #sendAll(): Promise<void> {
    while (this.#isOpen) {
      const due = await this.#due();
      if (due.length === 0) break;
      await this.#sendBatch(due);
    }
    const next = Math.min(...[...this.#failed.values()].map(({ at }) => at));
    if (Number.isFinite(next)) this.#retryAt(next);
  }

  /** The oldest ones that are neither gone already nor waiting for their next attempt. */
  async #due(): Promise<OutboxMessage[]> {
    const { store, clock } = this.ports;
    // Taken before the look: what is taken out in between is still found by it.
    const gone = new Set(this.#gone.keys());
    const found = await store.find('outbox', INSTANCE, { limit: BATCH + gone.size + this.#failed.size });
    const due = found.filter(({ id }) => !gone.has(id) && (this.#failed.get(id)?.at ?? 0) <= clock.now());
    if (due.length > 0) return due.slice(0, BATCH);
    // All that is left was found: what failed and is no longer there was sent by another process.
    const left = new Set(found.map(({ id }) => id));
    for (const id of this.#failed.keys()) if (!left.has(id)) this.#failed.delete(id);
    return [];
  }

  /** Taken out only after the link has them: a crash in between sends them twice, under the same keys. */
  async #sendBatch(batch: readonly OutboxMessage[]): Promise<void> {
    const { link, inspector, seal = (message: Json) => Promise.resolve(message) } = this.ports;
    // Sealed all at once, published in their order.
    const sealed = await Promise.all(batch.map(async (each) => ({ ...each, body: await seal(each.message) })));
    const outcomes = await Promise.allSettled(sealed.map(({ topic, body, id }) => link.publish(topic, body, id)));
    const sent = batch.filter((message, at) => this.#isSent(message, outcomes[at]));
    if (sent.length > 0) this.#takeOut(sent.map(({ id }) => id));
    for (const { id, topic } of sent) inspector({ type: 'outbox.sent', id, topic });
  }

  /** While the store does that, the next ones are sent already. What cannot be taken out is sent again. */
  #takeOut(ids: readonly string[]): void {
    const changes = ids.map((id) => ({ op: 'delete', kind: 'outbox', partition: INSTANCE, id }) as const);
    const taking = this.ports.store
      .commit({ expect: {}, changes })
      .catch((error: unknown) => {
        this.ports.logger.warn('Messages that were sent stay in the outbox, and are sent again.', { error });
        this.#retryAt(this.ports.clock.now() + delayAfter((this.#storeFailures += 1)));
      })
      .finally(() => {
        for (const id of ids) this.#gone.delete(id);
      });
    for (const id of ids) this.#gone.set(id, taking);
  }

  #isSent({ id, topic }: OutboxMessage, outcome: PromiseSettledResult<string> | undefined): boolean {
    if (outcome?.status === 'fulfilled') {
      this.#failed.delete(id);
      return true;
    }
    const attempts = (this.#failed.get(id)?.attempts ?? 0) + 1;
    this.#failed.set(id, { attempts, at: this.ports.clock.now() + delayAfter(attempts) });
    const error: unknown = outcome?.reason;
    this.ports.logger.warn('A message could not be sent; it stays in the outbox.', { id, topic, attempts, error });
    this.ports.inspector({ type: 'outbox.failed', id, topic, attempts });
    return false;
  }

  #retryAt(moment: number): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.ports.timers.after(Math.max(0, moment - this.ports.clock.now()), () => this.send());
  }
}

const delayAfter = (attempts: number): number => Math.min(RETRY[1], RETRY[0] * 2 ** Math.min(attempts - 1, 20));
