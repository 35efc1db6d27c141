import type { Json, OutboxMessage } from '@blockwork/core/records';
import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Envelopes } from './envelopes.js';
import { newInstanceKey, instanceIdentity } from './instance-identity.js';
import { KnownPeers } from './known-peers.js';
import { MessageRefused } from './refusal.js';
import { jwsSignatures } from './signatures.js';

const keys = { north: newInstanceKey(), south: newInstanceKey() };
const publicKey = (name: keyof typeof keys) => createPublicKey({ key: keys[name].publicKey, format: 'jwk' });
const peers = new KnownPeers(
  new Map((['north', 'south'] as const).map((name) => [name, { key: publicKey(name), identities: ['*'] }])),
);
const identity = (name: keyof typeof keys) => instanceIdentity({ id: name, key: keys[name].privateKey });
const envelopesOf = (name: keyof typeof keys, messageCharacters = 700_000): Envelopes =>
  new Envelopes(identity(name), {
    signatures: jwsSignatures,
    peers: { known: () => Promise.resolve(peers) },
    messageCharacters,
  });

const inquiry = (number: number, more: object = {}): OutboxMessage => ({
  id: `m${String(number)}`,
  topic: 'instance/south',
  message: {
    type: 'inquiry',
    from: { instance: 'north', did: 'did:north:ana' },
    to: 'south',
    policyId: 'votes',
    startMessageId: `1.${String(number)}`,
    sentAt: '2026-01-01T00:00:00.000Z',
    ...more,
  },
  createdAt: '2026-01-01T00:00:00.000Z',
});
const inquiries = (count: number, more: object = {}): OutboxMessage[] =>
  Array.from({ length: count }, (_, at) => inquiry(at + 1, more));
const never = (): boolean => false;
const sizes = (sealed: readonly { readonly messages: readonly unknown[] }[]): number[] =>
  sealed.map(({ messages }) => messages.length);
const signed = (message: unknown): Promise<Json> =>
  jwsSignatures.sign(JSON.stringify(message), 'north', identity('north').key);

/** `north` has heard that `south` takes several messages in one envelope, or that it does not. */
async function north(southTakesBatches = true, messageCharacters?: number): Promise<Envelopes> {
  const envelopes = envelopesOf('north', messageCharacters);
  const answer = {
    ...inquiry(1, { from: { instance: 'south', did: 'did:south:bea' }, to: 'north' }),
    topic: 'instance/north',
  };
  const body = southTakesBatches
    ? (await envelopesOf('south').seal([answer], never))[0]?.body
    : await jwsSignatures.sign(JSON.stringify(answer.message), 'south', identity('south').key);
  await envelopes.open(body ?? null);
  return envelopes;
}

/** The conversations in an envelope, or why a message of it is refused. */
const heard = async (body: Json): Promise<string[]> =>
  (await envelopesOf('south').open(body)).map((each) =>
    each instanceof MessageRefused ? each.message : each.head.startMessageId,
  );

describe('an envelope', () => {
  it('holds one message for an instance that never said that it takes several', async () => {
    expect(sizes(await envelopesOf('north').seal(inquiries(3), never))).toEqual([1, 1, 1]);
    expect(sizes(await (await north(false)).seal(inquiries(3), never))).toEqual([1, 1, 1]);
  });

  it('holds those of one topic, in their order, for an instance whose last message said so', async () => {
    const envelopes = await north();
    const toWest = { ...inquiry(9, { to: 'west' }), topic: 'instance/west' };
    const sealed = await envelopes.seal([inquiry(1), toWest, inquiry(2), inquiry(3)], never);
    expect(sealed.map(({ messages }) => messages.map(({ id }) => id))).toEqual([['m1', 'm2', 'm3'], ['m9']]);
    expect(await heard(sealed[0]?.body ?? null)).toEqual(['1.1', '1.2', '1.3']);
  });

  it('holds one again for an instance that went back to a version without them', async () => {
    const envelopes = await north();
    const plain = { ...(inquiry(1).message as object), from: { instance: 'south', did: 'did:south:bea' }, to: 'north' };
    await envelopes.open(await jwsSignatures.sign(JSON.stringify(plain), 'south', identity('south').key));
    expect(sizes(await envelopes.seal(inquiries(2), never))).toEqual([1, 1]);
  });

  it('holds no message beside one that must go alone', async () => {
    const sealed = await (await north()).seal(inquiries(4), ({ id }) => id === 'm2');
    expect(sealed.map(({ messages }) => messages.map(({ id }) => id))).toEqual([['m1', 'm3', 'm4'], ['m2']]);
  });

  it('holds 64 messages at most, and 128 KiB unless it is one message', async () => {
    const envelopes = await north();
    expect(sizes(await envelopes.seal(inquiries(130), never))).toEqual([64, 64, 2]);
    const large = inquiries(3, { padding: 'x'.repeat(60_000) });
    expect(sizes(await envelopes.seal(large, never))).toEqual([2, 1]);
    expect(sizes(await envelopes.seal([inquiry(1, { padding: 'x'.repeat(400_000) })], never))).toEqual([1]);
  });

  it('counts bytes, and holds no more than one message may have once it is signed', async () => {
    const wide = inquiries(3, { padding: '\u4e00'.repeat(20_000) });
    expect(sizes(await (await north()).seal(wide, never))).toEqual([2, 1]);
    for (const limit of [2_000, 10_000, 50_000]) {
      const sealed = await (await north(true, limit)).seal(inquiries(60, { padding: 'x'.repeat(400) }), never);
      expect(sizes(sealed).reduce((sum, size) => sum + size, 0)).toBe(60);
      for (const { body } of sealed) expect((body as string).length).toBeLessThanOrEqual(limit);
    }
  });

  it('is believed message by message once its signature is verified', async () => {
    const good = inquiry(1).message;
    const foreign = inquiry(2, { to: 'west' }).message;
    const false_ = inquiry(3, { from: { instance: 'west', did: 'did:west:x' } }).message;
    const deep: unknown = JSON.parse(`{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`);
    const nested = { ...(inquiry(5).message as object), deep };
    expect(
      await heard(await signed([good, foreign, false_, 'no message', [good], nested, inquiry(4).message])),
    ).toEqual([
      '1.1',
      'misaddressed: it is for "west"',
      'forged: it speaks for "west"',
      expect.stringMatching(/^invalid: /),
      expect.stringMatching(/^invalid: /),
      'invalid: it nests too deep',
      '1.4',
    ]);
  });

  it.each<[string, () => Json | Promise<Json>, RegExp]>([
    ['no text', () => ({ type: 'inquiry' }), /^malformed: it is no signed text$/],
    ['a text that nobody signed', () => 'inquiry', /^malformed: it is no signed text that says who signed it$/],
    ['larger than a message may be', () => 'x'.repeat(700_001), /^oversized: it has 700001 characters$/],
    [
      'of somebody unknown',
      () => jwsSignatures.sign('{}', 'west', identity('north').key),
      /^unknown-sender: it is from no peer$/,
    ],
    ['signed with another key', () => jwsSignatures.sign('{}', 'south', identity('north').key), /^forged: /],
    ['no JSON', () => jwsSignatures.sign('inquiry', 'north', identity('north').key), /^invalid: it is no JSON: Synt/],
  ])('is refused when it is %s', async (_, body, reason) => {
    await expect(heard(await body())).rejects.toThrow(reason);
  });

  it('is refused as a whole when it holds none, or more than one may', async () => {
    const many = Array.from({ length: 65 }, (_, at) => inquiry(at).message);
    await expect(heard(await signed([]))).rejects.toThrow('it holds 0 messages, and may hold 1 to 64');
    await expect(heard(await signed(many))).rejects.toThrow('it holds 65 messages');
    expect(await heard(await signed(many.slice(1)))).toHaveLength(64);
  });
});
