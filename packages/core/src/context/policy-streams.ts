/**
 * A policy's streams: events it publishes within a unit of work, and those of other policies of its owner and of peers.
 */
import type { ReceivedEvent, StreamAccess, StreamAnnouncement, StreamRange } from '../block-api/index.js';
import { verifyDocument } from '../credentials/index.js';
import { nextMessageId } from '../ledger/index.js';
import { isoNow, type Clock } from '../ports/index.js';
import { allOf, compareMessageIds, equalTo, INSTANCE, statusIs, streamEventId } from '../records/index.js';
import type { Condition, JsonObject, PolicyStatus, StreamEvent } from '../records/index.js';
import type { UnitOfWork } from '../transactions/index.js';
import { PolicyDefinitions } from './policy-definitions.js';
import { linkedHash, type Proofs } from './linked-hash.js';
import { canSee, documentOfMessage, POLICIES_AT_MOST, revokedAmong } from './ledger/external-topics.js';

/** Queues events for peers. */
export interface PeerAnnouncer {
  /** Part of the unit of work. Resolves to the peers whose size limit the event exceeds. */
  announce(unit: UnitOfWork, event: StreamEvent & { readonly document: JsonObject }): Promise<readonly string[]>;
}

export interface StreamDeps {
  readonly clock: Clock;
  readonly peerAnnouncer: PeerAnnouncer;
  readonly proofs: Proofs;
}

export class PolicyStreams implements StreamAccess {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly policy: { readonly id: string; readonly owner: string; readonly status: PolicyStatus },
    private readonly deps: StreamDeps,
  ) {}

  async announce({ stream, documentType, document: row }: StreamAnnouncement): Promise<readonly string[]> {
    const { unit, policy, deps } = this;
    const position = nextMessageId(deps.clock.now(), await newestPosition(unit, policy.id, stream));
    const { document, messageId, topicId, schema = '', hash = '', owner } = row;
    const event: StreamEvent = {
      id: streamEventId(stream, position),
      ...{ stream, position, documentType, schema, hash, owner },
      instance: '',
      origin: '',
      policyId: policy.id,
      topicId: topicId ?? '',
      messageId: messageId ?? '',
      announcedAt: isoNow(deps.clock),
      document: null,
    };
    unit.put('stream-event', policy.id, event);
    return statusIs(policy.status, 'published') ? deps.peerAnnouncer.announce(unit, { ...event, document }) : [];
  }

  async events(stream: string, { after, limit }: StreamRange): Promise<ReceivedEvent[]> {
    const received: ReceivedEvent[] = [];
    for (const source of [...(await this.#otherPolicies()), INSTANCE]) {
      const where = afterPosition(stream, after[source] ?? '');
      const order = { path: 'position', direction: 'asc' } as const;
      const events = await this.unit.find('stream-event', source, { where, order, limit });
      received.push(...(source === INSTANCE ? events.map(ofPeer) : await this.#withDocuments(source, events)));
    }
    return received.sort((a, b) => compareMessageIds(a.position, b.position)).slice(0, limit);
  }

  /** The owner's other policies. */
  async #otherPolicies(): Promise<string[]> {
    const { id, owner, status } = this.policy;
    const where = equalTo('owner', owner);
    const policies = await this.unit.find('policy', INSTANCE, { where, limit: POLICIES_AT_MOST });
    return policies.filter((other) => other.id !== id && canSee(status, other.status)).map((other) => other.id);
  }

  async #withDocuments(source: string, events: readonly StreamEvent[]): Promise<ReceivedEvent[]> {
    if (events.length === 0) return [];
    const ids = events.map(({ messageId }) => messageId);
    const [documents, revoked] = await Promise.all([
      this.unit.find('document', source, { where: { path: 'messageId', op: 'in', value: ids } }),
      revokedAmong(this.unit, source, ids),
    ]);
    const received: ReceivedEvent[] = [];
    for (const event of events) {
      const document =
        documentOfMessage({ id: event.messageId, hash: event.hash }, documents, revoked)?.document ?? null;
      const isVerified = document !== null && (await verifyDocument(document, this.#verificationIn(source))).verified;
      received.push(receivedFrom(source, event, isVerified ? document : null));
    }
    return received;
  }

  #verificationIn(source: string) {
    const { clock, proofs } = this.deps;
    const schemas = new PolicyDefinitions(this.unit, { id: source, tools: [] });
    return { records: this.unit, now: clock.now(), stored: true, linkedHash: linkedHash(proofs, schemas) };
  }
}

/** The newest position of the stream in the partition; empty if there are no events. */
export async function newestPosition(unit: UnitOfWork, partition: string, stream: string): Promise<string> {
  const order = { path: 'position', direction: 'desc' } as const;
  const [newest] = await unit.find('stream-event', partition, { where: equalTo('stream', stream), order, limit: 1 });
  return newest?.position ?? '';
}

const afterPosition = (stream: string, position: string): Condition =>
  allOf(equalTo('stream', stream), { path: 'position', op: 'gt', value: position });

const ofPeer = (event: StreamEvent): ReceivedEvent => receivedFrom(INSTANCE, event, event.document);

function receivedFrom(source: string, event: StreamEvent, document: JsonObject | null): ReceivedEvent {
  const { position, documentType, instance, policyId, topicId, messageId, schema, owner } = event;
  return { source, position, documentType, instance, policyId, topicId, messageId, schema, owner, document };
}
