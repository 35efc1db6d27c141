/** The outbox: messages that were committed with the change that caused them leave from here, at least once each. */
import type { ChangeSet, Inspector, Link, Logger, PolicyStore } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { OutboxMessage } from '../records/index.js';

export interface OutboxPorts {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly logger: Logger;
  readonly inspector: Inspector;
}

const BATCH = 100;

export class Outbox {
  #sending: Promise<void> = Promise.resolve();
  #waiting = false;

  constructor(private readonly ports: OutboxPorts) {}

  /** To be told of every commit: sends when there is something new to send. */
  notice(changeSet: ChangeSet): void {
    if (changeSet.changes.some((change) => change.kind === 'outbox' && change.op === 'put')) this.send();
  }

  /** Sends everything that is waiting, in order. What fails stays, and is tried again with the next call. */
  send(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    this.#sending = this.#sending.then(async () => {
      this.#waiting = false;
      try {
        while (await this.#sendBatch());
      } catch (error) {
        this.ports.logger.warn('A message could not be sent; it stays in the outbox.', { error });
      }
    });
  }

  /** Resolves when nothing is being sent. */
  idle(): Promise<void> {
    return this.#sending;
  }

  /** Whether there may be more. */
  async #sendBatch(): Promise<boolean> {
    const batch = await this.ports.store.find('outbox', INSTANCE, { limit: BATCH });
    for (const message of batch) await this.#sendOne(message);
    return batch.length === BATCH;
  }

  /** Taken out only after the link has it: a crash in between sends it twice, under one idempotency key. */
  async #sendOne({ id, topic, message }: OutboxMessage): Promise<void> {
    await this.ports.link.publish(topic, message, id);
    await this.ports.store.commit({ expect: {}, changes: [{ op: 'delete', kind: 'outbox', partition: INSTANCE, id }] });
    this.ports.inspector({ type: 'outbox.sent', id, topic });
  }
}
