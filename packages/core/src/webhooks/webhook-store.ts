/** Stores webhooks: their positions, and their dead letters. */
import { isoNow, type Clock, type Ids, type PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE } from '../records/index.js';
import type { DeadLetter, Webhook } from '../records/index.js';
import { lanes, revisionKeys, type Executor, type UnitOfWork } from '../transactions/index.js';
import type { WebhookMessage } from './webhook-message.js';

export interface WebhookStoreDeps {
  readonly store: PolicyStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: WebhookLimits;
}

export interface WebhookLimits {
  /** Maximum number per policy. */
  readonly webhooks: number;
  /** Attempts to send one event. */
  readonly webhookAttempts: number;
  /** Dead letters kept per webhook; the oldest are evicted. */
  readonly webhookDeadLetters: number;
}

export class WebhookStore {
  constructor(private readonly deps: WebhookStoreDeps) {}

  get(id: string): Promise<Webhook | undefined> {
    return this.deps.store.get('webhook', INSTANCE, id);
  }

  /** The webhooks that are sending. */
  active(): Promise<Webhook[]> {
    return this.deps.store.find('webhook', INSTANCE, { where: equalTo('suspended', null) });
  }

  ofPolicy(policyId: string): Promise<Webhook[]> {
    return this.deps.store.find('webhook', INSTANCE, { where: equalTo('policyId', policyId) });
  }

  /** Adds a webhook of a policy, unless `assertRoom`, called with the number of others, throws. */
  async add(webhook: Webhook, assertRoom: (count: number) => void): Promise<void> {
    const { policyId } = webhook;
    await this.#run(policyId, async (unit) => {
      const others = await unit.find('webhook', INSTANCE, { where: equalTo('policyId', policyId) });
      assertRoom(others.length);
      unit.put('webhook', INSTANCE, webhook);
    });
  }

  /** Changes one; resolves with `undefined` if it no longer exists. */
  change({ id, policyId }: Webhook, change: Partial<Webhook>): Promise<Webhook | undefined> {
    return this.#run(policyId, async (unit) => changed(unit, id, change));
  }

  async remove({ id, policyId }: Webhook): Promise<void> {
    await this.#run(policyId, async (unit) => {
      for (const letter of await lettersOf(unit, id)) unit.delete('webhook-dead-letter', INSTANCE, letter.id);
      unit.delete('webhook', INSTANCE, id);
    });
  }

  /** Stores a message as a dead letter, and moves the webhook past it. */
  giveUp(
    { id, policyId }: Webhook,
    message: WebhookMessage,
    reason: string,
    position: string,
  ): Promise<Webhook | undefined> {
    const { ids, clock, limits } = this.deps;
    return this.#run(policyId, async (unit) => {
      const webhook = await changed(unit, id, { position });
      if (webhook === undefined) return undefined;
      const deadLetters = await lettersOf(unit, id);
      const surplus = Math.max(0, deadLetters.length - limits.webhookDeadLetters + 1);
      for (const letter of deadLetters.slice(0, surplus)) unit.delete('webhook-dead-letter', INSTANCE, letter.id);
      const letter = { id: ids.uuid(), webhookId: id, body: message.body, messageId: message.id, reason };
      unit.put('webhook-dead-letter', INSTANCE, { ...letter, createDate: isoNow(clock) });
      return webhook;
    });
  }

  /** Oldest first. */
  deadLetters(id: string): Promise<DeadLetter[]> {
    return lettersOf(this.deps.store, id);
  }

  async removeLetter({ policyId }: Webhook, id: string): Promise<void> {
    await this.#run(policyId, (unit) => {
      unit.delete('webhook-dead-letter', INSTANCE, id);
      return Promise.resolve();
    });
  }

  async #run<T>(policyId: string, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const [lane, key] = [lanes.webhooks.of(policyId), revisionKeys.webhooks.of(policyId)];
    return (await this.deps.executor.run(lane, [key], work)).result;
  }
}

async function changed(unit: UnitOfWork, id: string, change: Partial<Webhook>): Promise<Webhook | undefined> {
  const webhook = await unit.get('webhook', INSTANCE, id);
  if (webhook === undefined) return undefined;
  const next = { ...webhook, ...change };
  unit.put('webhook', INSTANCE, next);
  return next;
}

const lettersOf = (records: Pick<PolicyStore, 'find'>, webhookId: string): Promise<DeadLetter[]> =>
  records.find('webhook-dead-letter', INSTANCE, {
    where: equalTo('webhookId', webhookId),
    order: { path: 'createDate', direction: 'asc' },
  });
