/** Sends the events of policies to their webhooks: each in order, at least once, and independently of the others. */
import { type Found, KeyedService, type Look, nextPoll, type ServiceDeps } from '../background/index.js';
import { isBlockworkError } from '../errors.js';
import type { EventHub } from '../events/index.js';
import { type ChangeSet, isoNow, type PolicyStore, type WebhookResponse, type WebhookSender } from '../ports/index.js';
import type { Webhook } from '../records/index.js';
import { shownMessage } from '../shown-text.js';
import { channels, type TelemetrySource, unnamedSource, type WebhookOperation } from '../telemetry/index.js';
import { signedRequest, webhookMessage, type WebhookMessage } from './webhook-message.js';
import type { WebhookLimits, WebhookStore } from './webhook-store.js';

export interface WebhookDeliveryDeps extends ServiceDeps {
  readonly store: PolicyStore;
  readonly webhooks: WebhookStore;
  readonly sender: WebhookSender;
  readonly events: EventHub;
  readonly limits: Pick<WebhookLimits, 'webhookAttempts'>;
  readonly source?: TelemetrySource;
}

const task = {
  name: 'webhooks',
  leases: 'webhooks',
  work: 'webhook',
  backoff: { firstMs: 5_000, longestMs: 3_600_000 },
  keyOf: String,
  concurrent: Infinity,
} as const;
/** Events after which the position is saved, so that a crash repeats few of them. */
const SAVED_AFTER = 20;
/** The receiver wants no more messages (Standard Webhooks, "Delivery"). */
const GONE = 410;

/** The receiver did not accept a message. */
class Refused extends Error {
  constructor(
    message: string,
    readonly response: WebhookResponse | null,
    readonly refused: WebhookMessage,
    /** The position of the refused event. */
    readonly position: string,
  ) {
    super(message);
  }
}

export class WebhookDelivery extends KeyedService<WebhookDeliveryDeps, string> {
  /** Active webhooks, as far as this process knows; `null`: to be looked up. */
  #known: readonly Webhook[] | null = null;
  /** Counts the commits that made `#known` outdated. */
  #outdated = 0;
  /** Webhooks that may have something to send. */
  readonly #pending = new Set<string>();
  /** Ids of policies and of webhooks that changed since the last run. */
  #changed = new Set<string>();
  /** When every webhook may have something to send: at the start, and whenever other processes may have left it. */
  #allDue = -Infinity;

  constructor(deps: WebhookDeliveryDeps) {
    super(deps, task);
  }

  committed({ changes }: ChangeSet): void {
    for (const change of changes) {
      const { kind, partition } = change;
      if (kind === 'webhook') {
        this.#known = null;
        this.#outdated += 1;
        this.#changed.add(change.op === 'put' ? change.value.id : change.id);
      } else if (kind === 'journal' && this.#mayConcern(partition)) this.#changed.add(partition);
      else continue;
      this.wake();
    }
  }

  #mayConcern(policyId: string): boolean {
    // Other nodes register webhooks too.
    if (this.deps.store.capabilities.shared) return true;
    return this.#known?.some((webhook) => webhook.policyId === policyId) ?? true;
  }

  protected override async run(): Promise<number | null> {
    await this.#notePending();
    return this.look();
  }

  async #notePending(): Promise<void> {
    const { store, clock } = this.deps;
    const isAllDue = this.#allDue <= clock.now();
    // Other nodes register webhooks too.
    if (store.capabilities.shared) this.#known = null;
    const webhooks = await this.#active();
    const changed = this.#changed;
    this.#changed = new Set();
    if (isAllDue) this.#allDue = nextPoll(store, clock);
    for (const { id, policyId } of webhooks)
      if (isAllDue || changed.has(id) || changed.has(policyId)) this.#pending.add(id);
    const ids = new Set(webhooks.map(({ id }) => id));
    for (const id of this.#pending) if (!ids.has(id)) this.#pending.delete(id);
    this.claims.keepOnly(ids);
  }

  protected override concerns(id: string): boolean {
    return this.#pending.has(id);
  }

  protected override find({ keys, skipped }: Look): Promise<Found<string>> {
    const due = [...this.#pending].filter((id) => !keys.has(id) && !skipped.has(id));
    return Promise.resolve({ due, next: this.#allDue });
  }

  /** Includes every webhook of the commits that were announced so far. */
  async #active(): Promise<readonly Webhook[]> {
    while (this.#known === null) {
      const at = this.#outdated;
      const active = await this.deps.webhooks.active();
      if (at === this.#outdated) this.#known = active;
    }
    return this.#known;
  }

  protected override async perform(id: string): Promise<void> {
    this.#pending.delete(id);
    await this.#send(id);
  }

  protected override async postpone(id: string, error: unknown): Promise<void> {
    const { due } = await this.claims.postpone(id, error, this.#askedToWait(error));
    this.#pending.add(id);
    this.deps.logger.warn('A webhook failed and will be tried again.', { webhookId: id, error });
    this.worker.wakeAt(due);
  }

  /** A receiver may ask for as long as a pause can be anyway. */
  #askedToWait(error: unknown): number {
    const header = error instanceof Refused ? error.response?.retryAfter : null;
    return retryAfterMs(header, this.deps.clock.now(), task.backoff.longestMs);
  }

  /** Sends all new events. If it gives one up, that commit tells of those behind it. */
  async #send(id: string): Promise<void> {
    // Another node may have sent more before this one obtained the claim.
    const webhook = await this.deps.webhooks.get(id);
    if (webhook?.suspended !== null) return;
    try {
      if (webhook.resending) await this.#resend(webhook);
      await this.#sendNew(webhook);
    } catch (error) {
      if (error instanceof Refused) return this.#refused(webhook, error);
      if (!isBlockworkError(error, 'POLICY_UNKNOWN')) throw error;
      await this.deps.webhooks.remove(webhook);
    }
  }

  /** Rejects with `Refused`. */
  async #sendNew(webhook: Webhook): Promise<void> {
    const { events, webhooks, clock } = this.deps;
    let { position } = webhook;
    let unsaved = 0;
    const save = async (): Promise<void> => {
      if (unsaved > 0) await webhooks.change(webhook, { position });
      unsaved = 0;
    };
    try {
      for await (const { event, traceparent } of events.unread({ did: webhook.did }, webhook.policyId, position)) {
        if (this.isStopping) return;
        if (event.type === 'gap' || webhook.events.includes(event.type)) {
          await this.#post(webhook, webhookMessage(webhook, event, isoNow(clock), traceparent), event.id);
          this.claims.succeeded(webhook.id);
        }
        position = event.id;
        unsaved += 1;
        if (unsaved === SAVED_AFTER) await save();
      }
    } finally {
      await save();
    }
  }

  /** Sends each abandoned event once more. */
  async #resend(webhook: Webhook): Promise<void> {
    const { webhooks, logger } = this.deps;
    for (const letter of await webhooks.deadLetters(webhook.id)) {
      if (this.isStopping) return;
      try {
        await this.#post(webhook, { id: letter.messageId, body: letter.body }, webhook.position);
        await webhooks.removeLetter(webhook, letter.id);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        logger.warn('A webhook refused an event again; it is kept.', { webhookId: webhook.id, error });
      }
    }
    await webhooks.change(webhook, { resending: false });
  }

  async #post(webhook: Webhook, message: WebhookMessage, position: string): Promise<void> {
    const { source = unnamedSource } = this.deps;
    const { traceparent } = message;
    if (!channels.webhook.isHeard) return this.#attempt(webhook, message, position, traceparent);
    const { id: webhookId, policyId, url } = webhook;
    const facts = { policyId, webhookId, messageId: message.id, origin: new URL(url).origin };
    const operation: WebhookOperation = { source, traceparent, ...facts };
    await channels.webhook.trace(operation, async () => {
      try {
        await this.#attempt(webhook, message, position, operation.traceparent);
      } catch (error) {
        if (error instanceof Refused) {
          operation.code = error.response === null ? 'NO_ANSWER' : `STATUS_${error.response.status}`;
          if (error.response !== null) operation.status = error.response.status;
        }
        throw error;
      }
    });
  }

  async #attempt(
    webhook: Webhook,
    message: WebhookMessage,
    position: string,
    traceparent: string | undefined,
  ): Promise<void> {
    const { clock, sender } = this.deps;
    const request = signedRequest(webhook, { ...message, traceparent }, Math.floor(clock.now() / 1000));
    const response = await sender.send(request, this.worker.stopping).catch((error: unknown) => {
      throw new Refused(shownMessage(error), null, message, position);
    });
    const { status } = response;
    if (status >= 200 && status < 300) return;
    throw new Refused(`it answered with the status ${String(status)}`, response, message, position);
  }

  /** Gives up after the last attempt; before that, rejects with the error. */
  async #refused(webhook: Webhook, error: Refused): Promise<void> {
    if (this.isStopping) return;
    const { webhooks, logger, limits } = this.deps;
    const facts = { webhookId: webhook.id, policyId: webhook.policyId, reason: error.message };
    if (error.response?.status === GONE) {
      await webhooks.change(webhook, { suspended: error.message });
      logger.warn('A webhook is suspended: its receiver wants no more.', facts);
      return;
    }
    const failures = this.#failuresOf(webhook.id) + 1;
    if (failures < limits.webhookAttempts) throw error;
    await webhooks.giveUp(webhook, error.refused, error.message, error.position);
    logger.warn('A webhook gave up an event, which is kept as a dead letter.', { ...facts, failures });
  }

  #failuresOf(id: string): number {
    return this.claims.failures().find((failure) => failure.id === id)?.state.failures ?? 0;
  }
}

/** One form of the `Retry-After` header (RFC 9110, section 10.2.3). */
const SECONDS = /^\d{1,10}$/;
/** The preferred form of a date: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). */
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds to wait from `now`, at most `longestMs`; 0 for a header that is absent, past or not understood. */
export function retryAfterMs(header: string | null | undefined, now: number, longestMs: number): number {
  if (header == null) return 0;
  const text = header.trim();
  const delay = SECONDS.test(text) ? Number(text) * 1000 : DATE.test(text) ? Date.parse(text) - now : 0;
  return Number.isNaN(delay) ? 0 : Math.min(Math.max(0, delay), longestMs);
}
