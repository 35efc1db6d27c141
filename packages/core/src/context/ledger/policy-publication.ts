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

  /** No-op without a ledger that publishes policies. `record`: with its new version. `ownerDocument`: the DID document of its owner, if known. */
  async publish(record: StoredPolicy, ownerDocument?: JsonObject): Promise<void> {
    if (!this.#isWanted) return;
    const { owner } = record;
    const topic = await this.#topicOfVersions(record, ownerDocument);
    await this.#publishSchemas(topic, owner);
    const instanceTopicId = await this.#createRoot(topic.id);
    const body = { ...factsOf(record), instanceTopicId };
    await this.messages.publish({ topic: { id: topic.id }, type: 'publish-policy', owner, body });
  }

  /** As `publish`; no-op for a policy that was published without such a ledger. `effectiveDate`: of a time to come if deferred. */
  async discontinue(record: StoredPolicy, effectiveDate: string, isDeferred: boolean): Promise<void> {
    const topic = this.#isWanted ? await this.#topicNamed(POLICY_TOPIC, record.id) : undefined;
    if (topic === undefined) return;
    const root = await this.#topicNamed(ROOT_TOPIC, record.id);
    const body = { ...factsOf(record), instanceTopicId: root?.id ?? '', effectiveDate };
    const type = isDeferred ? 'deferred-discontinue-policy' : 'discontinue-policy';
    await this.messages.publish({ topic: { id: topic.id }, type, owner: record.owner, body });
  }

  get #isWanted(): boolean {
    return this.deps.externalLedger?.publishesPolicies === true;
  }

  async #topicNamed(name: string, policyId: string): Promise<LedgerTopic | undefined> {
    const [topic] = await this.unit.find('ledger-topic', policyId, { where: equalTo('name', name), limit: 1 });
    return topic;
  }

  /** That of another version of the policy, or a new one. */
  async #topicOfVersions(record: StoredPolicy, ownerDocument?: JsonObject): Promise<LedgerTopic> {
    const { policy, ids } = this.deps;
    const earlier = await this.#topicOfOthers(record);
    const topic = earlier ?? { id: entityId(ids), name: POLICY_TOPIC, owner: '', memo: MEMO };
    if (earlier === undefined) {
      const known = ownerDocument && { ownerDocument };
      const body = { name: POLICY_TOPIC, owner: record.owner, policy: factsOf(record), ...known };
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
      const topic = await this.#topicNamed(POLICY_TOPIC, other.id);
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
