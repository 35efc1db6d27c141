import { SimulatedClock } from '@blockwork/testing';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createProof, documentOf, toDidKey } from '../credentials/index.js';
import { methodId } from '../credentials/identity-document.js';
import { MemoryStore } from '../memory/index.js';
import { INSTANCE, type EventMessage, type JsonObject } from '../records/index.js';
import { Executor, UnitOfWork } from '../transactions/index.js';
import { KnownPeers } from './messaging/known-peers.js';
import { PeerStreams, type PeerStreamsDeps } from './peer-streams.js';
import { StreamShares } from './stream-shares.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const ANA = toDidKey(key);
const NAMED = 'did:north:registry';

/** A credential that Ana has signed, under her own DID or another one. */
async function credentialOf(did = ANA): Promise<JsonObject> {
  const credential: JsonObject = { type: ['VerifiableCredential'], issuer: did, credentialSubject: { amount: 1 } };
  const proof = await createProof(credential, {
    verificationMethod: methodId(did, key),
    created: '2026-01-01T00:00:00Z',
    purpose: 'assertionMethod',
    sign: (bytes) => Promise.resolve(sign(null, bytes, privateKey)),
  });
  return { ...credential, proof };
}

/** The streams of an instance that keeps two events of each peer. */
function world() {
  const store = new MemoryStore();
  const clock = new SimulatedClock();
  const streams = new PeerStreams({
    clock,
    executor: new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } }),
    shares: new StreamShares({ news: ['north', 'west'], other: ['west'] }),
    messages: { putEvent: () => false },
    limits: { streamEvents: 2 },
  });
  const peers = new KnownPeers(
    new Map(['north', 'west'].map((id) => [id, { key: {} as never, identities: [ANA, `did:${id}:*`] }])),
  );
  const take = async (startMessageId: string, more: Partial<EventMessage> = {}) => {
    const message = {
      ...{ type: 'event', from: { instance: 'north', did: ANA }, to: 'south', policyId: 'p', startMessageId },
      ...{ sentAt: '2026-01-05T00:00:00.000Z', stream: 'news', documentType: 'vc', topicId: '0.0.1' },
      ...{ documentMessageId: '1.000000001', schema: '#s', hash: 'h', owner: ANA },
      ...{ document: await credentialOf(), issuer: null },
      ...more,
    } as EventMessage;
    await streams.take(message, peers);
  };
  const events = () => store.find('stream-event', INSTANCE);
  const origins = async () => (await events()).map(({ origin }) => (JSON.parse(origin) as string[])[2]);
  return { take, events, origins, clock };
}

describe('an event of a peer', () => {
  it('is kept as it was announced, at the next position of the stream', async () => {
    const { take, events } = world();
    await take('1.1');
    await take('1.2', { from: { instance: 'west', did: ANA } });
    const [first, second] = await events();
    expect(first).toMatchObject({
      ...{ stream: 'news', documentType: 'vc', origin: JSON.stringify(['north', 'p', '1.1']), policyId: 'p' },
      ...{ topicId: '0.0.1', messageId: '1.000000001', schema: '#s', hash: 'h', owner: ANA, instance: 'north' },
      ...{ announcedAt: '2026-01-05T00:00:00.000Z', document: await credentialOf() },
    });
    expect([first?.id, second?.instance]).toEqual([`news/${first?.position ?? ''}`, 'west']);
    expect((second?.position ?? '') > (first?.position ?? '')).toBe(true);
  });

  it('is kept once, and told from that of another peer or policy', async () => {
    const { take, events } = world();
    await take('1.1');
    await expect(take('1.1')).rejects.toMatchObject({ reason: 'replayed', instance: 'north' });
    await take('1.1', { policyId: 'q' });
    await take('1.1', { from: { instance: 'west', did: ANA } });
    expect(await events()).toHaveLength(3);
  });

  it('takes the place of the oldest one that its peer announced, and of no other', async () => {
    const { take, origins } = world();
    const at = (day: number): string => `2026-01-0${String(day)}T00:00:00.000Z`;
    const west = { instance: 'west', did: ANA };
    await take('west', { from: west, sentAt: at(1) });
    await take('late', { sentAt: at(4) });
    await take('early', { sentAt: at(2) });
    expect(await origins()).toEqual(['west', 'late', 'early']);
    await take('next', { sentAt: at(3) });
    expect(await origins()).toEqual(['west', 'late', 'next']);
    await expect(take('older', { sentAt: at(2) })).rejects.toMatchObject({
      reason: 'expired',
      detail: 'newer events have taken its place',
    });
    await take('as old', { sentAt: at(3) });
    expect(await origins()).toEqual(['west', 'late', 'as old']);
    await take('other stream', { from: west, stream: 'other', sentAt: at(1) });
    expect(await origins()).toHaveLength(4);
  });

  it('is refused in a stream that is not shared with it', async () => {
    const { take, events } = world();
    for (const stream of ['other', 'unknown'])
      await expect(take('1.1', { stream })).rejects.toMatchObject({ reason: 'unexpected', instance: 'north' });
    expect(await events()).toEqual([]);
  });

  it('is refused from somebody for whom the peer may not speak, as owner or as issuer', async () => {
    const { take } = world();
    for (const more of [
      { owner: 'did:west:x' },
      { document: await credentialOf('did:west:x'), issuer: documentOf('did:west:x', [key]) },
    ])
      await expect(take('1.1', more)).rejects.toMatchObject({
        reason: 'foreign-identity',
        detail: 'it may not speak for "did:west:x"',
        instance: 'north',
      });
  });

  it('is verified with the keys of its issuer, which the peer sends along', async () => {
    const { take, events } = world();
    const document = await credentialOf(NAMED);
    await take('1.1', { document, issuer: documentOf(NAMED, [key]) });
    const [other] = [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''];
    for (const issuer of [null, documentOf(NAMED, [Buffer.from(other, 'base64url')])])
      await expect(take('1.2', { document, issuer })).rejects.toMatchObject({ reason: 'invalid', instance: 'north' });
    const tampered = { ...(await credentialOf()), credentialSubject: { amount: 2 } };
    await expect(take('1.3', { document: tampered })).rejects.toMatchObject({ reason: 'invalid' });
    expect(await events()).toHaveLength(1);
  });
});

describe('an event that is announced here', () => {
  it('a stream that is shared with nobody costs no read', async () => {
    const [get, putEvent] = [vi.fn(), vi.fn()];
    const shares = new StreamShares({ news: ['south'] });
    const streams = new PeerStreams({ shares, messages: { putEvent } } as unknown as PeerStreamsDeps);
    const event = { stream: 'other', document: { issuer: 'did:example:ann' } };
    expect(await streams.announce({ get } as never, event as never)).toEqual([]);
    expect([get.mock.calls, putEvent.mock.calls]).toEqual([[], []]);
  });

  it('is sent to each peer of its stream with the keys of its issuer, and those are named that it is too large for', async () => {
    const store = new MemoryStore();
    const identity = { id: NAMED, document: documentOf(NAMED, [key]) } as never;
    await store.commit({
      expect: {},
      changes: [{ op: 'put', kind: 'identity', partition: INSTANCE, value: identity }],
    });
    const unit = await UnitOfWork.begin(store, []);
    const putEvent = vi.fn((_unit: unknown, { to }: { readonly to: string }) => to !== 'west');
    const shares = new StreamShares({ news: ['south', 'west'] });
    const streams = new PeerStreams({ shares, messages: { putEvent } } as unknown as PeerStreamsDeps);
    const event = { stream: 'news', document: await credentialOf(NAMED) } as never;
    expect(await streams.announce(unit, event)).toEqual(['west']);
    expect(putEvent.mock.calls.map(([, sent]) => sent)).toMatchObject([
      { to: 'south', event, issuer: { id: NAMED } },
      { to: 'west', event, issuer: { id: NAMED } },
    ]);
    putEvent.mockClear();
    const unsigned = { stream: 'news', document: {} } as never;
    await streams.announce(unit, unsigned);
    expect(putEvent.mock.calls[0]?.[1]).toMatchObject({ issuer: null });
  });
});
