/** The message outbox: sends messages to other instances after the commit that caused them, at least once. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ChangeSet, Link, PolicyStore } from '../ports/index.js';
import { isBlockworkError } from '../errors.js';
import { INSTANCE, isObject } from '../records/index.js';
import type { Json, OutboxMessage } from '../records/index.js';
import { channels, unnamedSource } from '../telemetry/index.js';
import type { Inspections, OutboxOperation, TelemetrySource } from '../telemetry/index.js';
import { GuardedCommits, revisionKeys } from '../transactions/index.js';
import { ClaimingService, type ServiceDeps } from './claiming-service.js';
import { Worker } from './worker.js';

export interface MessageOutboxDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly link: Link;
  readonly inspections: Inspections;
  /**
   * Seals messages into envelopes just before they are sent, several of a topic into one unless `isAlone`; when absent,
   * each is sent unsealed.
   */
  readonly seal?: (
    messages: readonly OutboxMessage[],
    isAlone: (message: OutboxMessage) => boolean,
  ) => Promise<readonly Envelope[]>;
  readonly source?: TelemetrySource;
}

/** Messages of one topic that are published together. */
interface Envelope {
  readonly messages: readonly OutboxMessage[];
  readonly body: Json;
}

const BATCH = 100;
/**
 * Milliseconds for which what was sent waits for what is sent after it, so that one commit deletes both. After a crash
 * it is sent again, and the receiver deduplicates.
 */
const DELETE_AFTER_MS = 20;
/** Attempts to remove sent messages while another node removes others of the same topic. */
const REMOVALS_AT_MOST = 5;
const task = {
  name: 'message outbox',
  leases: 'outbox',
  work: 'outbox',
  backoff: { firstMs: 200, longestMs: 30_000 },
  keepsProcessAlive: true,
} as const;

/** Failed messages are retried one by one. */
export class MessageOutbox extends ClaimingService<MessageOutboxDeps> {
  readonly #removals: GuardedCommits;
  readonly #deletion: Worker;
  /** Ids of sent messages that are not deleted yet. */
  readonly #sent = new Set<string>();
  /** Those whose deletion has not begun. */
  #undeleted: OutboxMessage[] = [];

  constructor(deps: MessageOutboxDeps) {
    super(deps, task);
    this.#removals = new GuardedCommits(deps.store);
    const { backoff, keepsProcessAlive } = task;
    const run = (): Promise<null> => this.#deleteSent();
    this.#deletion = new Worker({ name: 'message outbox deletion', backoff, keepsProcessAlive, run }, deps);
  }

  override async idle(): Promise<void> {
    do {
      await super.idle();
      await this.#deletion.run();
    } while (this.#undeleted.length > 0);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#deletion.stop();
    await this.#deleteSent();
  }

  committed({ changes }: ChangeSet): void {
    if (changes.some(({ kind, op }) => kind === 'outbox' && op === 'put')) this.wake();
  }

  protected override async run(): Promise<number | null> {
    /** Messages that other nodes send. */
    const skipped = new Set<string>();
    while (!this.isStopping) {
      const due = await this.#due(skipped);
      if (due.length === 0) break;
      await this.#sendBatch(await this.#claim(due, skipped));
      await setImmediate();
    }
    return this.nextRun();
  }

  /** The oldest messages that are neither sent already, backing off, nor claimed by other nodes. */
  async #due(skipped: ReadonlySet<string>): Promise<OutboxMessage[]> {
    // Copied before the read, which may still find rows deleted since.
    const sent = new Set(this.#sent);
    const limit = BATCH + sent.size + this.claims.size + 2 * skipped.size;
    const messages = await this.deps.store.find('outbox', INSTANCE, { limit });
    const due = messages.filter(({ id }) => !sent.has(id) && !skipped.has(id) && !this.claims.isWaiting(id));
    // Everything left was found: failed messages that are no longer there were sent by another process.
    if (due.length === 0) this.claims.keepOnly(new Set(messages.map(({ id }) => id)));
    return due.slice(0, BATCH);
  }

  /** The messages that this node may send. */
  async #claim(batch: readonly OutboxMessage[], skipped: Set<string>): Promise<OutboxMessage[]> {
    const claimed = await this.claims.claim(batch.map(({ id }) => id));
    for (const { id } of batch) if (!claimed.has(id)) skipped.add(id);
    const claimedMessages = batch.filter(({ id }) => claimed.has(id));
    if (!this.claims.areShared) return claimedMessages;
    // A previous holder may have sent messages that were read before.
    const present = await Promise.all(claimedMessages.map(({ id }) => this.deps.store.get('outbox', INSTANCE, id)));
    const alreadySent = claimedMessages.filter((_, at) => present[at] === undefined).map(({ id }) => id);
    for (const id of alreadySent) skipped.add(id);
    await this.claims.release(alreadySent);
    return present.filter((message) => message !== undefined);
  }

  /**
   * Deleted only after the link has them: a crash in between sends them twice, possibly in different envelopes; the
   * receiver deduplicates.
   */
  async #sendBatch(batch: readonly OutboxMessage[]): Promise<void> {
    const { inspections, seal = unsealed } = this.deps;
    // Sealed together, published in order. A message that failed before goes alone: the link may reject it.
    const envelopes = await seal(batch, ({ id }) => this.claims.has(id));
    const outcomes = await Promise.all(
      envelopes.map(async (envelope) => {
        const [outcome] = await Promise.allSettled([this.#publishEnvelope(envelope)]);
        return { messages: envelope.messages, outcome };
      }),
    );
    const sent: OutboxMessage[] = [];
    for (const { messages, outcome } of outcomes) {
      for (const message of messages) if (await this.#isSent(message, outcome)) sent.push(message);
    }
    this.#deleteSoon(sent);
    for (const { id, topic } of sent) inspections.publish({ type: 'outbox.sent', id, topic });
  }

  /** Each message is reported as sent as soon as its envelope is. */
  async #publishEnvelope({ messages, body }: Envelope): Promise<void> {
    const [{ topic }] = messages as [OutboxMessage];
    const publishing = this.deps.link.publish(topic, body, keyOf(messages));
    if (channels.outbox.isHeard) await Promise.all(messages.map((message) => this.#traced(message, publishing)));
    else await publishing;
  }

  #traced({ id, topic, message }: OutboxMessage, publishing: Promise<string>): Promise<string> {
    const { source = unnamedSource } = this.deps;
    const traceparent = textAt(message, 'traceparent');
    const messageType = textAt(message, 'type') ?? 'unknown';
    const operation: OutboxOperation = { source, traceparent, messageId: id, topic, messageType };
    return channels.outbox.trace(operation, () => publishing);
  }

  async #isSent({ id, topic }: OutboxMessage, outcome: PromiseSettledResult<void>): Promise<boolean> {
    if (outcome.status === 'fulfilled') {
      this.claims.succeeded(id);
      return true;
    }
    const error: unknown = outcome.reason;
    const { failures } = await this.claims.postpone(id, error);
    this.deps.logger.warn('A message was not sent; it will be retried.', { id, topic, failures, error });
    this.deps.inspections.publish({ type: 'outbox.failed', id, topic, attempts: failures });
    return false;
  }

  #deleteSoon(sent: readonly OutboxMessage[]): void {
    for (const { id } of sent) this.#sent.add(id);
    this.#undeleted.push(...sent);
    if (this.#undeleted.length >= BATCH) this.#deletion.wake();
    else if (sent.length > 0) this.#deletion.wakeAt(this.deps.clock.now() + DELETE_AFTER_MS);
  }

  /** Runs while further messages are sent. Never rejects. */
  async #deleteSent(): Promise<null> {
    const sent = this.#undeleted;
    this.#undeleted = [];
    await Promise.all([...byTopic(sent)].map(([topic, ids]) => this.#delete(topic, ids)));
    return null;
  }

  async #delete(topic: string, ids: readonly string[]): Promise<void> {
    try {
      await this.#remove(topic, ids);
      await this.claims.release(ids);
    } catch (error) {
      await this.#notDeleted(ids, error);
    } finally {
      for (const id of ids) this.#sent.delete(id);
    }
  }

  async #remove(topic: string, ids: readonly string[]): Promise<void> {
    const changes = ids.map((id) => ({ op: 'delete', kind: 'outbox', partition: INSTANCE, id }) as const);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#removals.commit(revisionKeys.outbox.of(topic), changes);
        return;
      } catch (error) {
        if (!isBlockworkError(error, 'CONFLICT') || attempt >= REMOVALS_AT_MOST) throw error;
      }
    }
  }

  /** They are sent again, each alone; the receiver deduplicates. */
  async #notDeleted(ids: readonly string[], error: unknown): Promise<void> {
    this.deps.logger.warn('Sent messages could not be deleted from the outbox and will be sent again.', { ids, error });
    for (const id of ids) this.worker.wakeAt((await this.claims.postpone(id, error)).due);
  }
}

const unsealed = (messages: readonly OutboxMessage[]): Promise<Envelope[]> =>
  Promise.resolve(messages.map((message) => ({ messages: [message], body: message.message })));

/** The idempotency key: equal for the same messages. */
function keyOf(messages: readonly OutboxMessage[]): string {
  const ids = messages.map(({ id }) => id);
  return ids.length === 1
    ? ids.join()
    : `batch/${createHash('sha256').update(JSON.stringify(ids)).digest('base64url')}`;
}

function textAt(message: Json, name: string): string | undefined {
  const value = isObject(message) ? message[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function byTopic(messages: readonly OutboxMessage[]): Map<string, string[]> {
  const topics = new Map<string, string[]>();
  for (const { topic, id } of messages) topics.set(topic, [...(topics.get(topic) ?? []), id]);
  return topics;
}
