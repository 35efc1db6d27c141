import { jwsSignatures, MemoryLink } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import type { Json, RefusalReason } from '@blockwork/core';
import { CompactSign, SignJWT, UnsecuredJWT } from 'jose';
import { createPrivateKey, createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ana, keys, openWorld, owner, policy, soon, voteFor, type Name, type World } from './conversation-fixtures.js';

/** A world in which `south` approves whatever it believes: what is not to be carried out must not be believed. */
let world: World;
/** On the link like everybody else. */
let attacker: MemoryLink;
let sent: number;
let approves: boolean;

beforeEach(async () => {
  approves = true;
  world = await openWorld({ south: { autoApprove: () => approves } });
  attacker = new MemoryLink({ hub: world.hub, timers: world.timers });
  sent = 0;
});
afterEach(() => world.close());

const keyOf = (name: Name) => createPrivateKey({ key: keys[name].privateKey, format: 'jwk' });
const seal = (message: unknown, by: Name = 'north', keyId: string = by): Promise<string> =>
  jwsSignatures.sign(JSON.stringify(message), keyId, keyOf(by));
const send = (body: Json): Promise<string> => attacker.publish('instance/south', body, String((sent += 1)));

const message = (changes: object = {}) => ({
  type: 'request',
  from: { instance: 'north', did: ana.did },
  to: 'south',
  policyId: policy.id,
  startMessageId: '1767225600.000000001',
  sentAt: '2026-01-01T00:00:00.000Z',
  action: voteFor('yes').action,
  expiresAt: '2026-01-02T00:00:00.000Z',
  ...changes,
});
const action = (changes: object) => ({ action: { ...voteFor('yes').action, ...changes } });

const report = () => world.south.engine.requests.getRefusalReport(owner.south);
const counts = async () => (await report()).counts;
const votes = () => world.south.store.count('document', policy.id);
const refusedAs = (reason: RefusalReason, count = 1): Promise<void> =>
  soon(async () => expect((await counts())[reason]).toBe(count));
/** What the attacker hears of the answers to `north`. */
const answersToNorth = async (): Promise<Record<string, unknown>[]> => {
  const heard: Record<string, unknown>[] = [];
  const ear = world.connect();
  await ear.subscribe(
    'instance/north',
    ({ body }) => {
      const [, payload = ''] = (body as string).split('.');
      heard.push(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>);
      return Promise.resolve();
    },
    'start',
  );
  await world.quiet();
  await ear.close();
  return heard;
};

describe('a message', () => {
  it('that is as it should be is carried out', async () => {
    await send(await seal(message()));
    await soon(async () => expect(await votes()).toBe(1));
    expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
  });

  const altered = async (): Promise<string> => {
    const [header = '', payload = '', signature = ''] = (await seal(message())).split('.');
    const text = Buffer.from(payload, 'base64url').toString().replace('yes', 'no!');
    return [header, Buffer.from(text).toString('base64url'), signature].join('.');
  };
  const bytes = (): Uint8Array => new TextEncoder().encode(JSON.stringify(message()));
  const publicBytes = createSecretKey(Buffer.from(keys.north.publicKey.x ?? '', 'base64url'));

  const foreigner = { instance: 'north', did: 'did:south:bea' };
  /** The record of a policy as an offer or a request for a signature carries it. */
  const offered = async (): Promise<object> => {
    const {
      userRole: _a,
      userRoles: _b,
      userGroups: _c,
      ...record
    } = await world.south.engine.getPolicy(owner.south, policy.id);
    return record;
  };

  const cases: [string, RefusalReason, () => Promise<Json>][] = [
    ['signed with the key of somebody else', 'forged', () => seal(message(), 'west', 'north')],
    ['that was altered after it was signed', 'forged', altered],
    [
      'without a signature',
      'forged',
      () =>
        Promise.resolve(
          new UnsecuredJWT(message() as never)
            .encode()
            .replace('eyJhbGciOiJub25lIn0', Buffer.from('{"alg":"none","kid":"north"}').toString('base64url')),
        ),
    ],
    ['whose signature is cut off', 'forged', async () => (await seal(message())).slice(0, -10)],
    [
      'signed with the public key as if it were a secret',
      'forged',
      () =>
        new SignJWT(message())
          .setProtectedHeader({ alg: 'HS256', kid: 'north', typ: 'blockwork-message+jws' })
          .sign(publicBytes),
    ],
    [
      'that the same key has signed for another purpose',
      'forged',
      () => new CompactSign(bytes()).setProtectedHeader({ alg: 'EdDSA', kid: 'north' }).sign(keyOf('north')),
    ],
    [
      'of an instance that is no peer',
      'unknown-sender',
      () => seal(message({ from: { instance: 'west', did: 'did:west:x' } }), 'west'),
    ],
    [
      'of a peer in the name of another',
      'forged',
      () => seal(message({ from: { instance: 'west', did: 'did:west:x' } })),
    ],
    ['for another instance', 'misaddressed', () => seal(message({ to: 'west' }))],
    ['that is too large', 'oversized', () => seal(message(action({ data: { vote: 'x'.repeat(760_000) } })))],
    ['that is no text', 'malformed', () => Promise.resolve({ ...message() })],
    ['that is no signed text', 'malformed', () => Promise.resolve('a.b.c')],
    ['of no known type', 'invalid', () => seal(message({ type: 'obey' }))],
    ['that asks for no known action', 'invalid', () => seal(message({ action: { type: 'delete-everything' } }))],
    ['whose conversation has an id that cannot be one', 'invalid', () => seal(message({ startMessageId: 'first' }))],
    [
      'whose text is no UTF-8',
      'forged',
      () => {
        const altered = bytes();
        altered[altered.length - 5] = 0xff;
        const header = { alg: 'EdDSA', kid: 'north', typ: 'blockwork-message+jws' };
        return new CompactSign(altered).setProtectedHeader(header).sign(keyOf('north'));
      },
    ],
    ['that is no JSON', 'invalid', () => jwsSignatures.sign('{', 'north', keyOf('north'))],
    [
      'that nests too deep',
      'invalid',
      () => jwsSignatures.sign('['.repeat(5000) + ']'.repeat(5000), 'north', keyOf('north')),
    ],
    [
      'in the name of a user of somebody else',
      'foreign-identity',
      () => seal(message(action({ user: { did: 'did:south:bea' } }))),
    ],
    [
      'whose sender is at home elsewhere',
      'foreign-identity',
      () => seal(message({ from: { instance: 'north', did: 'did:south:bea' } })),
    ],
    [
      'that offers a policy in the name of somebody else',
      'foreign-identity',
      async () => seal(message({ from: foreigner, action: { type: 'import-policy', policy: await offered() } })),
    ],
    [
      'that asks for a signature in the name of somebody else',
      'foreign-identity',
      async () => {
        const credential = { id: 'urn:1', type: ['VerifiableCredential'], issuer: owner.south.did };
        const signing = { type: 'sign', signer: owner.south.did, credential, policy: await offered() };
        return seal(message({ from: foreigner, action: signing }));
      },
    ],
    [
      'that offers a view of a policy with another status',
      'invalid',
      async () => {
        const view = { type: 'import-policy', view: true, policy: { ...(await offered()), status: 'PUBLISH' } };
        return seal(message({ action: view }));
      },
    ],
    [
      'with the answer to what nobody asked',
      'unexpected',
      () => seal({ ...message({ type: 'completed' }), result: 1 }),
    ],
    ['that comes too late', 'expired', () => seal(message({ expiresAt: '2025-12-31T23:59:59.000Z' }))],
    [
      'that offers a policy under another id',
      'invalid',
      async () =>
        seal(
          message({
            action: {
              type: 'import-policy',
              policy: { ...(await world.south.engine.getPolicy(owner.south, policy.id)), id: 'other' },
            },
          }),
        ),
    ],
  ];

  /** What the operator reads of them. */
  const says: Readonly<Record<string, string>> = {
    'signed with the key of somebody else': 'signature verification failed',
    'that was altered after it was signed': 'signature verification failed',
    'that the same key has signed for another purpose': 'The header has the type undefined.',
    'of an instance that is no peer': 'it is from no peer',
    'of a peer in the name of another': 'it speaks for "west"',
    'for another instance': 'it is for "west"',
    'that is too large': 'characters',
    'that is no text': 'it is no signed text',
    'that is no signed text': 'it is no signed text that says who signed it',
    'of no known type': '/type must be',
    'that asks for no known action': '/action/type',
    'whose conversation has an id that cannot be one': '/startMessageId must be a message identifier',
    'that is no JSON': 'it is no JSON: SyntaxError',
    'that nests too deep': 'it nests too deep',
    'in the name of a user of somebody else': 'it may not speak for "did:south:bea"',
    'whose sender is at home elsewhere': 'it may not speak for "did:south:bea"',
    'that offers a view of a policy with another status': 'a view must have the status VIEW',
    'with the answer to what nobody asked': 'it answers no request of this instance',
    'that comes too late': 'it came too late',
    'that offers a policy under another id': 'the policy that it holds has another id than "policyId" says',
  };

  it.each(cases)('%s is refused, counted, shown to the operator, and not carried out', async (name, reason, make) => {
    await send(await make());
    await refusedAs(reason);
    await world.quiet();
    expect(await votes()).toBe(0);
    const { latest } = await report();
    expect(latest).toMatchObject([{ reason, messageId: expect.stringMatching(/^\d+\.\d{9}$/) as string }]);
    expect(latest[0]?.detail).toContain(says[name] ?? '');
    expect(world.south.inspected).toContainEqual(expect.objectContaining({ type: 'message.refused', reason }));
    const rows = await world.south.store.find('request', INSTANCE);
    expect(rows.map(({ status }) => status)).toEqual(reason === 'expired' ? ['EXPIRED'] : []);
  });

  it('that comes again, as it was or under another id of the link, is carried out once', async () => {
    const body = await seal(message());
    for (let time = 0; time < 4; time += 1) await send(body);
    await refusedAs('replayed', 3);
    await world.quiet();
    expect(await votes()).toBe(1);
    expect((await report()).latest).toEqual([]);
  });

  it('that differs from the one that began its conversation is refused', async () => {
    await send(await seal(message()));
    await soon(async () => expect(await votes()).toBe(1));
    await send(await seal(message(action({ data: { vote: 'no' } }))));
    await refusedAs('unexpected');
    expect(await votes()).toBe(1);
    expect((await answersToNorth()).map(({ type }) => type)).toEqual(['completed']);
  });

  it('that is invalid does not end a conversation that is still open', async () => {
    approves = false;
    await send(await seal(message()));
    await soon(async () => expect(await world.south.store.count('request', INSTANCE)).toBe(1));
    await send(await seal(message({ action: { type: 'delete-everything' } })));
    await refusedAs('invalid');
    expect(await answersToNorth()).toEqual([]);
    expect(await world.south.store.find('request', INSTANCE)).toMatchObject([{ status: 'NEW' }]);
  });

  it('of a peer that cannot be taken in is answered, so that the peer does not wait for ever', async () => {
    await send(await seal(message({ action: { type: 'delete-everything' } })));
    await refusedAs('invalid');
    const said = expect.stringMatching(/^invalid: \/action\/type /) as string;
    const error = { code: 'REQUEST_REFUSED', message: said };
    expect(await answersToNorth()).toMatchObject([{ type: 'failed', error }]);
  });

  it('that cannot be believed is not answered', async () => {
    await send(await seal(message(), 'west', 'north'));
    await refusedAs('forged');
    expect(await answersToNorth()).toEqual([]);
  });

  it('in the name of the owner of the policy is refused, even from a peer that may speak for anybody', async () => {
    const { peers } = world.south.engine.program.requests;
    await peers.trust({ id: 'north', key: keys.north.publicKey, identities: ['*'] });
    await send(await seal(message(action({ user: { did: owner.south.did } }))));
    await refusedAs('foreign-identity');
    expect(await votes()).toBe(0);
  });

  it('under the same conversation id as that of another instance is another conversation', async () => {
    const { peers } = world.south.engine.program.requests;
    await peers.trust({ id: 'west', key: keys.west.publicKey, identities: ['did:west:*'] });
    await send(await seal(message()));
    const user = { did: 'did:west:user' };
    await send(await seal(message({ from: { instance: 'west', ...user }, ...action({ user }) }), 'west'));
    await soon(async () => expect(await votes()).toBe(2));
  });
});

describe('a cancellation', () => {
  it('that overtakes its request closes the conversation, and the request that follows is not carried out', async () => {
    await send(await seal(message({ type: 'cancel' })));
    await world.quiet();
    const closed = { status: 'CANCELED', closed: { by: 'north' } };
    expect(await world.south.store.find('request', INSTANCE)).toMatchObject([closed]);
    expect((await answersToNorth()).map(({ type }) => type)).toEqual(['canceled']);

    await send(await seal(message()));
    await refusedAs('replayed');
    await world.quiet();
    expect(await world.south.store.find('request', INSTANCE)).toMatchObject([closed]);
    expect(await votes()).toBe(0);
  });
});

describe('an answer', () => {
  const ask = async (): Promise<string> => {
    await world.south.engine.close();
    return (await world.north.engine.requests.ask(ana, voteFor('yes'))).messageId;
  };
  const answer = (startMessageId: string, changes: object = {}) => ({
    type: 'completed',
    from: { instance: 'south', did: owner.south.did },
    to: 'north',
    policyId: policy.id,
    startMessageId,
    sentAt: '2026-01-01T00:00:00.000Z',
    result: 'forged',
    ...changes,
  });
  const north = (body: Json): Promise<string> => attacker.publish('instance/north', body, String((sent += 1)));
  const refused = (reason: RefusalReason) =>
    soon(async () => expect((await world.north.engine.requests.getRefusalReport(owner.north)).counts[reason]).toBe(1));

  it('counts only from the instance that was asked', async () => {
    const messageId = await ask();
    const { peers } = world.north.engine.program.requests;
    await peers.trust({ id: 'west', key: keys.west.publicKey, identities: ['*'] });
    await north(await seal(answer(messageId, { from: { instance: 'west', did: 'did:west:x' } }), 'west'));
    await refused('unexpected');
    await north(await seal(answer(messageId), 'west', 'south'));
    await refused('forged');
    expect(await world.north.engine.requests.get(ana, messageId)).toMatchObject({ status: 'NEW' });
  });

  it('that contradicts an earlier one is refused, and the first stands', async () => {
    const messageId = await ask();
    await north(await seal(answer(messageId, { type: 'rejected' }), 'south'));
    await north(await seal(answer(messageId), 'south'));
    await refused('unexpected');
    const { latest } = await world.north.engine.requests.getRefusalReport(owner.north);
    expect(latest).toMatchObject([{ detail: 'it says COMPLETED of what is REJECTED', instance: 'south' }]);
    expect(await world.north.store.get('request', INSTANCE, messageId)).toMatchObject({ status: 'REJECTED' });
  });
});

describe('trust', () => {
  it('can be given and taken while the engine runs', async () => {
    const { peers } = world.south.engine.program.requests;
    await peers.distrust('north');
    expect(await peers.list()).toEqual([]);
    await send(await seal(message()));
    await refusedAs('unknown-sender');
    await peers.trust({ id: 'north', key: keys.north.publicKey, identities: [ana.did] });
    await send(await seal(message()));
    await soon(async () => expect(await votes()).toBe(1));
    await peers.trust({ id: 'north', key: keys.west.publicKey, identities: [ana.did] });
    await send(await seal(message({ startMessageId: '2.2' })));
    await refusedAs('forged');
  });

  it.each([
    ['a private key', keys.north.privateKey, 'north'],
    ['no key', {}, 'north'],
    ['no name', keys.north.publicKey, ''],
  ])('is not given to %s', async (_, key, id) => {
    const { peers } = world.south.engine.program.requests;
    if (_ === 'a private key')
      await expect(peers.trust({ id, key: keyOf('north'), identities: [] })).rejects.toThrow('public key');
    else await expect(peers.trust({ id, key, identities: [] })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });

  it('is nobody else’s business', async () => {
    const refused = world.south.engine.requests.getRefusalReport(ana);
    await expect(refused).rejects.toThrow('POLICIES_EXTERNAL_POLICY_UPDATE');
  });
});
