/** A policy itself on the external ledger: its schemas and its file, in a topic that all its versions share. Each step is booked as others are. */
import { entityId, ROOT_TOPIC } from '../../ledger/index.js';
import {
  allOf,
  equalTo,
  INSTANCE,
  type JsonObject,
  type LedgerTopic,
  POLICY_TOPIC,
  statusIs,
  type StoredPolicy,
} from '../../records/index.js';
import type { UnitOfWork } from '../../transactions/index.js';
import type { LedgerBooking } from './ledger-booking.js';
import type { LedgerPublishing, PublishingDeps } from './ledger-publishing.js';
import { schemaFacts, schemasInOrder, usedIn } from './published-schemas.js';

const MEMO = 'Policy development topic';
/** Versions of a policy that are searched for their topic. */
const VERSIONS_AT_MOST = 1_000;

export class PolicyPublication {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly deps: PublishingDeps,
    private readonly booking: LedgerBooking,
    private readonly messages: LedgerPublishing,
  ) {}

  /** No-op without a ledger that publishes policies, and in a trial. `record`: with its new version. */
  async publish(record: StoredPolicy): Promise<void> {
    const { externalLedger, policy } = this.deps;
    if (externalLedger?.publishesPolicies !== true || statusIs(policy.status, 'trial')) return;
    const { owner } = record;
    const topic = await this.#topicOfVersions(record);
    await this.#publishSchemas(topic, owner);
    const instanceTopicId = await this.#createRoot(topic.id);
    const body = { ...factsOf(record), instanceTopicId };
    await this.messages.publish({ topic: { id: topic.id }, type: 'publish-policy', owner, body });
  }

  /** That of another version of the policy, or a new one. */
  async #topicOfVersions(record: StoredPolicy): Promise<LedgerTopic> {
    const { policy, ids } = this.deps;
    const earlier = await this.#topicOfOthers(record);
    const topic = earlier ?? { id: entityId(ids), name: POLICY_TOPIC, owner: '', memo: MEMO };
    if (earlier === undefined) {
      const body = { name: POLICY_TOPIC, owner: record.owner, policy: factsOf(record) };
      await this.booking.book({ type: 'create-topic', topicId: topic.id, memo: MEMO, body });
    }
    this.unit.put('ledger-topic', policy.id, topic);
    return topic;
  }

  async #topicOfOthers({ id, uuid, owner }: StoredPolicy): Promise<LedgerTopic | undefined> {
    const where = allOf(equalTo('uuid', uuid), equalTo('owner', owner));
    const line = await this.unit.find('policy', INSTANCE, { where, limit: VERSIONS_AT_MOST });
    for (const other of line) {
      if (other.id === id || !statusIs(other.status, 'published')) continue;
      const named = { where: equalTo('name', POLICY_TOPIC), limit: 1 };
      const [topic] = await this.unit.find('ledger-topic', other.id, named);
      if (topic !== undefined) return topic;
    }
    return undefined;
  }

  /** Each with the messages of those that it uses. */
  async #publishSchemas({ id }: LedgerTopic, owner: string): Promise<void> {
    const messageIds = new Map<string, string>();
    for (const schema of schemasInOrder(await this.unit.find('schema', this.deps.policy.id))) {
      const relationships = usedIn(schema).flatMap((iri) => messageIds.get(iri) ?? []);
      const about = { topic: { id }, type: 'schema', owner, relationships, body: schemaFacts(schema) };
      messageIds.set(schema.id, (await this.messages.publish(about)).id);
    }
  }

  /** Before the message that names it. Resolves with its id. */
  async #createRoot(policyTopicId: string): Promise<string> {
    const { policy, ids } = this.deps;
    const root = { id: policy.instanceTopicId ?? entityId(ids), name: ROOT_TOPIC, owner: '', memo: '' };
    const body = { name: ROOT_TOPIC, owner: '', policyTopicId };
    await this.booking.book({ type: 'create-topic', topicId: root.id, memo: root.memo, body });
    this.unit.put('ledger-topic', policy.id, root);
    return root.id;
  }
}

/** What messages say about the policy. */
const factsOf = ({ uuid, name, description, topicDescription, version, policyTag }: StoredPolicy): JsonObject => ({
  uuid,
  name,
  description,
  topicDescription,
  version,
  policyTag,
});
