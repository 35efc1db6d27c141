/** A policy's webhooks, for its owner. */
import type { Caller } from '../access/index.js';
import { BlockworkError } from '../errors.js';
import type { EventHub } from '../events/index.js';
import { demandObject, demandOptions } from '../options/index.js';
import { isoNow, type Clock, type Ids, type WebhookSender } from '../ports/index.js';
import { webhookEvents, type DeadLetter, type Webhook, type WebhookEvent } from '../records/index.js';
import { isWebhookSecret, newWebhookSecret, type WebhookStore } from '../webhooks/index.js';
import type { Gate } from './gate.js';
import { ownPolicy } from './inspection/own-policy.js';
import type { EngineLimits } from './limits.js';
import { boundedRange, type ListPage, type Range } from './page.js';
import type { PolicySight } from './people/policy-sight.js';

export interface WebhooksDeps {
  readonly sight: PolicySight;
  readonly webhookStore: WebhookStore;
  readonly webhookSender: WebhookSender | null;
  readonly eventHub: EventHub;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Pick<EngineLimits, 'webhooks'>;
}

/** A webhook to register. */
export interface WebhookInput {
  readonly url: string;
  /** Default: all types. */
  readonly events?: readonly WebhookEvent[] | undefined;
  /** `whsec_` followed by 24 to 64 bytes as base64. Default: generated. */
  readonly secret?: string | undefined;
}

/** A registered webhook, without its secret. */
export type WebhookSummary = Omit<Webhook, 'secret' | 'position' | 'did'>;

/**
 * Delivers a policy's events to external URLs: at least once, in journal order per webhook, as CloudEvents signed
 * according to Standard Webhooks. They state what changed, never the data. Every method throws `PERMISSION_DENIED`
 * (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`.
 */
export class Webhooks {
  constructor(
    private readonly gate: Gate,
    private readonly deps: WebhooksDeps,
  ) {}

  /**
   * Registers a webhook for events from now on. Only this answer contains the secret. Throws `WEBHOOKS_OFF`,
   * `WEBHOOK_URL_REFUSED`, `WEBHOOKS_TOO_MANY`, `INPUT_INVALID`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example const { id, secret } = await engine.webhooks.register(owner, policyId, { url: 'https://hooks.example.org/in' });
   */
  async register(caller: Caller, policyId: string, input: WebhookInput): Promise<WebhookSummary & { secret: string }> {
    const { eventHub, ids, clock, limits, webhookStore } = this.deps;
    await ownPolicy(this.gate, this.deps.sight, caller, policyId);
    const { url, events, secret } = this.#checked(input);
    const webhook: Webhook = {
      id: ids.uuid(),
      policyId,
      did: caller.did,
      url,
      events,
      secret,
      position: await eventHub.end(policyId, caller.did),
      suspended: null,
      resending: false,
      createDate: isoNow(clock),
    };
    await webhookStore.add(webhook, (count) => {
      if (count >= limits.webhooks) throw new BlockworkError('WEBHOOKS_TOO_MANY', { facts: { policyId, count } });
    });
    return { ...summaryOf(webhook), secret };
  }

  /**
   * Throws the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const hooks = await engine.webhooks.list(owner, policyId);
   */
  async list(caller: Caller, policyId: string): Promise<WebhookSummary[]> {
    await ownPolicy(this.gate, this.deps.sight, caller, policyId);
    return (await this.deps.webhookStore.ofPolicy(policyId)).map(summaryOf);
  }

  /**
   * Removes a webhook and its dead letters. Throws `WEBHOOK_UNKNOWN`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example
   *   const { id } = await engine.webhooks.register(owner, policyId, { url: 'https://hooks.example.org/in' });
   *   await engine.webhooks.remove(owner, policyId, id);
   */
  async remove(caller: Caller, policyId: string, id: string): Promise<void> {
    await this.deps.webhookStore.remove(await this.#own(caller, policyId, id));
  }

  /**
   * A webhook's dead letters, oldest first. Throws `WEBHOOK_UNKNOWN`, `INPUT_INVALID` for a limit above 1000, and the
   * errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example
   *   const { id } = await engine.webhooks.register(owner, policyId, { url: 'https://hooks.example.org/in' });
   *   const { items } = await engine.webhooks.deadLetters(owner, policyId, id);
   */
  async deadLetters(caller: Caller, policyId: string, id: string, range: Range = {}): Promise<ListPage<DeadLetter>> {
    await ownPolicy(this.gate, this.deps.sight, caller, policyId);
    demandOptions(range, 'webhooks.deadLetters', 'range');
    await this.#own(caller, policyId, id);
    const { offset, limit } = boundedRange(range);
    const deadLetters = await this.deps.webhookStore.deadLetters(id);
    return { items: deadLetters.slice(offset, offset + limit), total: deadLetters.length };
  }

  /**
   * Resends the webhook's dead letters, each once, and lifts a suspension. Throws `WEBHOOKS_OFF`, `WEBHOOK_UNKNOWN`,
   * and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example
   *   const { id } = await engine.webhooks.register(owner, policyId, { url: 'https://hooks.example.org/in' });
   *   await engine.webhooks.resend(owner, policyId, id);
   */
  async resend(caller: Caller, policyId: string, id: string): Promise<WebhookSummary> {
    const webhook = await this.#own(caller, policyId, id);
    this.#sender();
    const changed = await this.deps.webhookStore.change(webhook, { resending: true, suspended: null });
    return summaryOf(changed ?? unknown(policyId, id));
  }

  #checked(input: WebhookInput): Pick<Webhook, 'url' | 'events' | 'secret'> {
    demandObject(input, 'webhooks.register', 'input', 'a url, and perhaps events and a secret');
    const { url, events = webhookEvents, secret } = input;
    if (typeof url !== 'string') throw invalid('The url of a webhook must be a string.');
    const reason = URL.canParse(url) ? this.#sender().refusal(url) : 'it is not an address';
    if (reason !== null) throw new BlockworkError('WEBHOOK_URL_REFUSED', { facts: { url: shown(url), reason } });
    if (secret !== undefined && !isWebhookSecret(secret))
      throw invalid('The secret must be "whsec_" followed by 24 to 64 bytes as base64.');
    const allowedEvents: readonly string[] = webhookEvents;
    if (!isList(events) || events.length === 0 || events.some((event) => !allowedEvents.includes(event))) {
      throw invalid(`The events of a webhook must be among ${webhookEvents.join(', ')}.`);
    }
    return { url, events: [...new Set(events)], secret: secret ?? newWebhookSecret(this.deps.ids) };
  }

  #sender(): WebhookSender {
    const { webhookSender } = this.deps;
    if (webhookSender === null) throw new BlockworkError('WEBHOOKS_OFF');
    return webhookSender;
  }

  async #own(caller: Caller, policyId: string, id: string): Promise<Webhook> {
    await ownPolicy(this.gate, this.deps.sight, caller, policyId);
    const webhook = await this.deps.webhookStore.get(id);
    return webhook?.policyId === policyId ? webhook : unknown(policyId, id);
  }
}

const summaryOf = ({ secret: _, position: __, did: ___, ...summary }: Webhook): WebhookSummary => summary;

/** Queries may contain secrets. */
const shown = (url: string): string => (url.split(/[?#]/)[0] ?? '').slice(0, 200);

const invalid = (reason: string): BlockworkError => new BlockworkError('INPUT_INVALID', { facts: { reason } });

function unknown(policyId: string, id: string): never {
  throw new BlockworkError('WEBHOOK_UNKNOWN', { facts: { policyId, id } });
}

/** JavaScript callers may pass anything. */
const isList = (value: unknown): boolean => Array.isArray(value);
