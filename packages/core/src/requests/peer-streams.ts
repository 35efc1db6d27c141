/** Events of streams shared with peers: sent with the unit of work that announced them, and accepted once. */
import type { PeerAnnouncer } from '../context/index.js';
import { linkedHash, newestPosition, type Proofs } from '../context/index.js';
import { identityIn, publishedDocument, verifyDocument } from '../credentials/index.js';
import { nextMessageId } from '../ledger/index.js';
import type { Clock } from '../ports/index.js';
import { allOf, equalTo, INSTANCE, streamEventId } from '../records/index.js';
import type { EventMessage, IdentityRecord, JsonObject, StreamEvent } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { Executor, UnitOfWork } from '../transactions/index.js';
import type { KnownPeers } from './messaging/known-peers.js';
import type { OutgoingMessages } from './messaging/outgoing-messages.js';
import { MessageRefused } from './messaging/refusal.js';
import type { StreamShares } from './stream-shares.js';

export interface PeerStreamsDeps {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly proofs?: Proofs;
  readonly shares: StreamShares;
  readonly messages: Pick<OutgoingMessages, 'putEvent'>;
  /** `streamEvents`: events kept of one peer in one stream. */
  readonly limits: { readonly streamEvents: number };
}

export class PeerStreams implements PeerAnnouncer {
  constructor(private readonly deps: PeerStreamsDeps) {}

  async announce(unit: UnitOfWork, event: StreamEvent & { readonly document: JsonObject }): Promise<readonly string[]> {
    const { shares, messages } = this.deps;
    const receivers = shares.peersOf(event.stream);
    if (receivers.length === 0) return [];
    const signer = identityIn(event.document.issuer);
    const issuer = signer === undefined ? null : ((await publishedDocument(unit, signer)) ?? null);
    return receivers.filter((to) => !messages.putEvent(unit, { to, event, issuer }));
  }

  /** `peers`: as of this message. Throws `MessageRefused` for an event that is not trusted, or was accepted before. */
  async take(message: EventMessage, peers: KnownPeers): Promise<void> {
    await this.#assertTrusted(message, peers);
    const { stream } = message;
    const [lane, key] = [lanes.stream.of(stream), revisionKeys.stream.of(stream)];
    await this.deps.executor.run(lane, [key], (unit) => this.#store(unit, message));
  }

  async #assertTrusted(message: EventMessage, peers: KnownPeers): Promise<void> {
    const { shares, clock, proofs } = this.deps;
    const { stream, owner, document, issuer } = message;
    const { instance } = message.from;
    if (!shares.peersOf(stream).includes(instance)) {
      throw new MessageRefused('unexpected', `the stream "${stream}" is not shared with it`, instance);
    }
    const signer = identityIn(document.issuer);
    for (const did of [owner, signer ?? owner]) {
      if (peers.speaksFor(instance, did)) continue;
      throw new MessageRefused('foreign-identity', `it may not speak for "${did}"`, instance);
    }
    const records = identityOnly(signer ?? '', issuer);
    const hash = linkedHash(proofs, null);
    const verification = { records, now: clock.now(), stored: true, linkedHash: hash };
    const { verified, reason } = await verifyDocument(document, verification);
    if (!verified) throw new MessageRefused('invalid', reason, instance);
  }

  async #store(unit: UnitOfWork, message: EventMessage): Promise<void> {
    const { from, stream, policyId, startMessageId, sentAt } = message;
    const origin = JSON.stringify([from.instance, policyId, startMessageId]);
    const ofOrigin = allOf(equalTo('stream', stream), equalTo('origin', origin));
    if ((await unit.count('stream-event', INSTANCE, ofOrigin)) > 0) {
      throw new MessageRefused('replayed', 'it is here already', from.instance);
    }
    await this.#makeRoom(unit, message);
    const position = nextMessageId(this.deps.clock.now(), await newestPosition(unit, INSTANCE, stream));
    const { documentType, topicId, documentMessageId: messageId, schema, hash, owner, document } = message;
    unit.put('stream-event', INSTANCE, {
      id: streamEventId(stream, position),
      ...{ stream, position, documentType, origin, policyId, topicId, messageId, schema, hash, owner, document },
      instance: from.instance,
      announcedAt: sentAt,
    });
  }

  /** The peer's oldest events are evicted; an even older one was accepted before, and is not accepted again. */
  async #makeRoom(unit: UnitOfWork, { stream, from: { instance }, sentAt }: EventMessage): Promise<void> {
    const where = allOf(equalTo('stream', stream), equalTo('instance', instance));
    const surplus = (await unit.count('stream-event', INSTANCE, where)) - this.deps.limits.streamEvents + 1;
    if (surplus <= 0) return;
    const order = { path: 'announcedAt', direction: 'asc' } as const;
    const oldest = await unit.find('stream-event', INSTANCE, { where, order, limit: surplus });
    if (oldest.some(({ announcedAt }) => Date.parse(sentAt) < Date.parse(announcedAt))) {
      throw new MessageRefused('expired', 'newer events have taken its place', instance);
    }
    for (const { id } of oldest) unit.delete('stream-event', INSTANCE, id);
  }
}

/** A peer vouches only for the keys of its own identities, and for this document. */
function identityOnly(did: string, document: JsonObject | null): Parameters<typeof verifyDocument>[1]['records'] {
  const identity = document === null ? undefined : ({ id: did, document } as IdentityRecord);
  const get = (kind: string, _partition: string, id: string) =>
    Promise.resolve(kind === 'identity' && id === did ? identity : undefined);
  return { get, find: () => Promise.resolve([]) } as Parameters<typeof verifyDocument>[1]['records'];
}
