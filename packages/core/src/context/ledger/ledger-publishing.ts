/** Messages and their topics: a topic is made with its first message. */
import type { PolicyUser } from '../../access/index.js';
import type { LedgerMessageInput, PolicyView } from '../../block-api/index.js';
import { entityId, laterMessageId, nextMessageId, refuse, resolveTopic, ROOT_TOPIC } from '../../ledger/index.js';
import type { Ids } from '../../ports/index.js';
import { allOf, cloneJson, equalTo, type LedgerMessage, type LedgerTopic } from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';
import type { BookingDeps, LedgerBooking } from './ledger-booking.js';

export interface PublishingDeps extends BookingDeps {
  readonly policy: Pick<PolicyView, 'id' | 'status' | 'topics' | 'messageId'> & {
    /** The topic `root` refers to, if the policy already has it. */
    readonly instanceTopicId?: string;
  };
  readonly user: Pick<PolicyUser, 'did'>;
  readonly ids: Ids;
}

export class LedgerPublishing {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly deps: PublishingDeps,
    private readonly booking: LedgerBooking,
  ) {}

  async publish(input: LedgerMessageInput): Promise<LedgerMessage> {
    const { policy, clock } = this.deps;
    const { topic, isNew } = await this.#topic(input);
    const { type, owner, hash = '', relationships = [], memo = '', body = null } = input;
    const id = nextMessageId(clock.now(), await this.#newest());
    const message = { id, topicId: topic.id, type, owner, hash, relationships: [...relationships], memo, body };
    const about = input.document === undefined ? {} : { document: input.document };
    const messageFacts = { type: 'message', topicId: topic.id, messageId: id, memo, ...about } as const;
    if (isNew) {
      const draft = { name: topic.name, owner: topic.owner };
      await this.booking.book({ type: 'create-topic', topicId: topic.id, memo: topic.memo, body: draft }, messageFacts);
      this.unit.put('ledger-topic', policy.id, topic);
    } else await this.booking.book(messageFacts);
    // Later than every other message.
    this.unit.putNew('ledger-message', policy.id, cloneJson(message));
    return message;
  }

  async #topic(input: LedgerMessageInput): Promise<{ topic: LedgerTopic; isNew: boolean }> {
    const { policy, user, ids } = this.deps;
    if (typeof input.topic !== 'string') return { topic: await this.#existing(input.topic.id), isNew: false };
    const resolved = resolveTopic(policy.topics, input.topic, input.topicOwner ?? user.did);
    const where = allOf(equalTo('name', resolved.name), equalTo('owner', resolved.owner));
    const [existing] = await this.unit.find('ledger-topic', policy.id, { where, limit: 1 });
    if (existing !== undefined) return { topic: existing, isNew: false };
    const topicId = resolved.name === ROOT_TOPIC ? policy.instanceTopicId : undefined;
    return { topic: { id: topicId ?? entityId(ids), ...resolved }, isNew: true };
  }

  async #existing(id: string): Promise<LedgerTopic> {
    const topic = await this.unit.get('ledger-topic', this.deps.policy.id, id);
    return topic ?? refuse(`the policy has no topic ${id} with messages`);
  }

  /** The latest message id of this run, the book or the policy itself. */
  async #newest(): Promise<string> {
    const { effects, policy } = this.deps;
    const own = effects.findLast(({ messageId }) => messageId !== undefined)?.messageId;
    if (own !== undefined) return own;
    // Each message is created with the greatest id of its policy.
    const newest = this.unit.lastCreated('ledger-message', policy.id) ?? (await this.#newestStored());
    return laterMessageId(newest, policy.messageId);
  }

  async #newestStored(): Promise<string> {
    const order = { path: 'id', direction: 'desc' } as const;
    const [newest] = await this.unit.find('ledger-message', this.deps.policy.id, { order, limit: 1 });
    return newest?.id ?? '';
  }
}
