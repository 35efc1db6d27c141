/** What becomes of effects on a network that refuses, waits, lags or lies. */
import { inspect } from 'node:util';
import { MemoryStore } from '@blockwork/core';
import { describe, expect, it } from 'vitest';
import { ed25519Signer } from '../src/index.js';
import {
  effect,
  message,
  messageEffect,
  OPERATOR,
  OPERATOR_KEY,
  startBench,
  token,
  topicEffect,
  type Bench,
} from './support/bench.js';

const nothing = { document: null, token: null };
const CREDIT = { document: null, token: token('credit') };
const mint = () => effect('mint', { tokenId: 'credit', accountId: '0.0.2001', units: '7' });
const rowsOf = async ({ store }: Bench) =>
  (await store.find('ledger-row', 'policy-1')).filter(({ effectId }) => effectId !== '');

describe('a refusal', () => {
  it('is kept, costs one fee, and is tried again only when somebody asks', async () => {
    const bench = startBench();
    const adapter = bench.open();
    await adapter.settle(mint(), { document: null, token: token('credit', { source: {} }) });
    const freeze = effect('freeze', { tokenId: 'credit', accountId: '0.0.2001' });
    const refused = /refused the transaction 0\.0\.1002@\d+\.\d{9} \(freeze\): TOKEN_HAS_NO_FREEZE_KEY/;
    await expect(adapter.settle(freeze, nothing)).rejects.toThrow(refused);
    const before = bench.ledger.transactions.length;
    await expect(adapter.settle(freeze, nothing)).rejects.toThrow(refused);
    expect(bench.ledger.transactions.length).toBe(before);
    expect((await rowsOf(bench)).at(-1)).toMatchObject({ state: 'refused' });
    adapter.retryRefused();
    bench.clock.advance('5m');
    await expect(adapter.settle(freeze, nothing)).rejects.toThrow(refused);
    expect(bench.ledger.transactions.length).toBe(before + 1);
  });

  it('of one copy does not hide that another had its effect', async () => {
    const bench = startBench();
    bench.ledger.nextResults.push('INVALID_NODE_ACCOUNT');
    let submissions = 0;
    bench.network.nextFault = (kind) => (kind === 'submit' && (submissions += 1) <= 2 ? 'lost' : 'none');
    const topic = topicEffect();
    await bench
      .open()
      .settle(topic, nothing)
      .catch(() => undefined);
    bench.clock.advance('5m');
    await bench.open().settle(topic, nothing);
    expect(bench.ledger.successes('createTopic')).toHaveLength(1);
    expect(bench.ledger.transactions.map(({ result }) => result)).toContain('INVALID_NODE_ACCOUNT');
  });

  it('of a token of another kind of key does not keep other policies from going on', async () => {
    const bench = startBench();
    bench.ledger.nextResults.push('INVALID_SIGNATURE');
    const adapter = bench.open();
    await expect(adapter.settle(topicEffect(), nothing)).rejects.toThrow('INVALID_SIGNATURE');
    await adapter.settle({ ...topicEffect(), policyId: 'policy-2' }, nothing);
    expect(bench.ledger.topics.size).toBe(1);
  });
});

describe('what passes', () => {
  it('an empty account of the operator: nothing is lost, and it goes on after the account is filled', async () => {
    const bench = startBench();
    bench.ledger.isFunded = false;
    const topic = topicEffect();
    await expect(bench.open().settle(topic, nothing)).rejects.toThrow('INSUFFICIENT_PAYER_BALANCE');
    bench.ledger.isFunded = true;
    await bench.open().settle(topic, nothing);
    expect(bench.ledger.topics.size).toBe(1);
  });

  it('a day without the ledger', async () => {
    const bench = startBench();
    bench.network.nextFault = () => 'unavailable';
    const topic = topicEffect();
    for (let hour = 0; hour < 24; hour += 1) {
      await expect(bench.open().settle(topic, nothing)).rejects.toThrow();
      bench.clock.advance('1h');
    }
    bench.network.nextFault = () => 'none';
    await bench.open().settle(topic, nothing);
    expect(bench.ledger.successes('createTopic')).toHaveLength(1);
  });

  it('a mirror that lags: the effect is done, and confirmed when the mirror shows it', async () => {
    const bench = startBench();
    const topic = topicEffect();
    bench.network.mirrorLagMs = 40_000;
    await expect(bench.open().settle(topic, nothing)).rejects.toThrow('the mirror does not show it yet');
    expect(await rowsOf(bench)).toMatchObject([{ state: 'consensus' }]);
    bench.network.mirrorLagMs = 0;
    await bench.open().settle(topic, nothing);
    expect(bench.ledger.successes('createTopic')).toHaveLength(1);
    expect(await rowsOf(bench)).toMatchObject([{ state: 'confirmed', content: { copies: [] } }, {}]);
  });
});

describe('what is wrong', () => {
  it('a clock that differs from the mirror: nothing is signed', async () => {
    const bench = startBench();
    const ahead = { now: () => bench.clock.now() + 150_000 };
    await expect(bench.open(undefined, { clock: ahead }).settle(topicEffect(), nothing)).rejects.toThrow(
      'The clock and the mirror differ by 150 seconds',
    );
    expect(await rowsOf(bench)).toEqual([]);
  });

  it('a mirror that says something else than the node: it is not taken for confirmed', async () => {
    const bench = startBench();
    bench.network.mirrorLies = 'INVALID_SIGNATURE';
    await expect(bench.open().settle(topicEffect(), nothing)).rejects.toThrow('one of them is wrong');
    expect(await rowsOf(bench)).toMatchObject([{ state: 'consensus' }]);
  });

  it('a store that was used with another network', async () => {
    const bench = startBench();
    await bench.open().settle(topicEffect(), nothing);
    await expect(bench.open(undefined, { network: 'mainnet' }).settle(topicEffect(), nothing)).rejects.toThrow(
      'bound to the network "fake"',
    );
  });

  it('two processes that settle one effect: one of them stops', async () => {
    const bench = startBench();
    const topic = topicEffect();
    const outcomes = await Promise.allSettled([
      bench.open().settle(topic, nothing),
      bench.open().settle(topic, nothing),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await bench.open().settle(topic, nothing);
    expect(bench.ledger.successes('createTopic')).toHaveLength(1);
  });
});

describe('accounts that are given', () => {
  it('are asked for before anything is booked, save in a trial', async () => {
    const bench = startBench({ accounts: 'given' });
    bench.ledger.addAccount('0.0.2001', ed25519Signer('08'.repeat(32)).publicKey);
    const adapter = bench.open();
    const check = (accountId: string, trial = false) => adapter.check(effect('mint', { accountId }), { trial });
    await expect(check('alice')).rejects.toThrow('"alice" is not an account');
    await expect(check('0.0.2002')).rejects.toThrow('The ledger fake has no account 0.0.2002.');
    await check('0.0.2001');
    await check('alice', true);
  });

  it('are taken to exist while the mirror does not answer', async () => {
    const bench = startBench({ accounts: 'given' });
    bench.network.nextFault = () => 'unavailable';
    await bench.open().check(effect('mint', { accountId: '0.0.2002' }), { trial: false });
  });

  it('associate themselves: the effect waits until they have', async () => {
    const bench = startBench({ accounts: 'given' });
    bench.ledger.addAccount('0.0.2001', ed25519Signer('08'.repeat(32)).publicKey, false);
    const adapter = bench.open();
    const associate = effect('associate', { tokenId: 'credit', accountId: '0.0.2001' });
    await expect(adapter.settle(associate, CREDIT)).rejects.toThrow(
      /The account 0\.0\.2001 must associate the token 0\.0\.\d+ itself/,
    );
    const [token] = bench.ledger.tokens.values();
    token?.relations.set('0.0.2001', { balance: 0n, isFrozen: false, hasKyc: true });
    await adapter.settle(associate, CREDIT);
    await adapter.settle(mint(), CREDIT);
    expect(token?.relations.get('0.0.2001')?.balance).toBe(7n);
  });

  it('a token that is on the ledger already is not made again', async () => {
    const bench = startBench();
    await bench.open().settle(mint(), CREDIT);
    const [tokenId = ''] = bench.ledger.tokens.keys();
    const adapter = bench.open(undefined, { tokens: { other: tokenId } });
    await adapter.settle(effect('mint', { tokenId: 'other', accountId: '0.0.2001', units: '5' }), CREDIT);
    expect(bench.ledger.tokens.size).toBe(1);
    expect(bench.ledger.supply(tokenId)).toBe(12n);
  });
});

describe('messages', () => {
  it('are written as the reference reads them, with the ids of the ledger', async () => {
    const bench = startBench({ parentTopic: '0.0.9000' });
    bench.ledger.topics.set('0.0.9000', { memo: '', submitKey: '', messages: [] });
    const adapter = bench.open();
    await adapter.settle(topicEffect(), nothing);
    const first = message('1767225610.000000001', { body: { issuer: { id: 'did:example:i', group: 'g' } } });
    await adapter.settle(messageEffect(first), nothing);
    const second = message('1767225611.000000001', {
      type: 'vp-document',
      relationships: [first.id, 'unknown'],
      memo: `about ${first.id}`,
    });
    await adapter.settle(messageEffect(second), nothing);
    const [parent, own] = bench.ledger.topics.values();
    const [link, vc, vp] = (own?.messages ?? []).map(({ text }) => JSON.parse(text) as Record<string, unknown>);
    const uuid = expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ) as unknown;
    const [ownId] = [...bench.ledger.topics.keys()].slice(1);
    expect(own?.memo).toBe('Policy instance configuration topic');
    expect(link).toMatchObject({ type: 'Topic', action: 'create-topic', childId: null, parentId: '0.0.9000' });
    expect(JSON.parse(parent?.messages[0]?.text ?? '')).toMatchObject({ childId: ownId, parentId: null });
    expect(vc).toEqual({
      id: uuid,
      status: 'ISSUE',
      type: 'VC-Document',
      action: 'create-vc-document',
      lang: 'en-US',
      issuer: 'did:example:i',
      relationships: [],
      encodedData: false,
      option: {},
      hash: first.hash,
    });
    expect(vp?.['relationships']).toEqual([own?.messages[1]?.consensusAt]);
    expect(bench.ledger.successes('submitMessage').at(-1)?.memo).toBe(`about ${own?.messages[1]?.consensusAt ?? ''}`);
  });

  it('are ASCII, in pieces of at most 1,024 bytes that name the first one', async () => {
    const bench = startBench();
    const adapter = bench.open();
    await adapter.settle(topicEffect(), nothing);
    const long = message('1767225610.000000001', { type: 'token', body: { tokenName: 'ü'.repeat(300) } });
    await adapter.settle(messageEffect(long), nothing);
    const pieces = [...bench.ledger.topics.values()][0]?.messages.slice(1) ?? [];
    expect(pieces.map(({ number, total, initial }) => [number, total, initial])).toEqual(
      [1, 2].map((number) => [number, 2, pieces[0]?.initial]),
    );
    expect(pieces.every(({ text }) => /^[\x20-\x7e]*$/.test(text) && text.length <= 1024)).toBe(true);
    expect(JSON.parse(pieces.map(({ text }) => text).join(''))).toMatchObject({ tokenName: 'ü'.repeat(300) });
  });
});

describe('the key of the operator', () => {
  const pem = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(10)}${'B'.repeat(40)}\n-----END PRIVATE KEY-----`;

  it.each([
    ['short', '07'.repeat(31)],
    ['of another type', `3030020100300706052b8104000a04220420${'07'.repeat(32)}`],
    ['broken', pem],
  ])('is not quoted when it is %s', (_, text) => {
    const caught: unknown[] = [];
    try {
      ed25519Signer(text);
    } catch (error) {
      caught.push(error);
    }
    const shown = inspect(caught, { depth: null, showHidden: true });
    expect(shown).toContain("The operator's key is not usable");
    for (const part of [text, '0707070707', 'BBBBBBBB']) expect(shown).not.toContain(part);
  });

  it('is read from DER and raw text alike', () => {
    const der = `302e020100300506032b657004220420${OPERATOR_KEY}`;
    expect(ed25519Signer(`0x${der}`).publicKey).toEqual(ed25519Signer(OPERATOR_KEY).publicKey);
  });

  it('is in nothing that is stored, shown or thrown', async () => {
    const bench = startBench();
    const adapter = bench.open();
    const errors: unknown[] = [];
    await adapter.settle(mint(), CREDIT);
    bench.network.nextFault = () => 'lost';
    await adapter.settle(topicEffect(), nothing).catch((error: unknown) => errors.push(error));
    const rows = [
      ...(await bench.store.find('ledger-row', 'policy-1')),
      ...(await bench.store.find('ledger-row', 'instance')),
    ];
    const shown = inspect([rows, errors, adapter, ed25519Signer(OPERATOR_KEY)], { depth: null, showHidden: true });
    const base64 = Buffer.from(OPERATOR_KEY, 'hex').toString('base64');
    for (const secret of [OPERATOR_KEY, base64.slice(0, 20), base64.replaceAll('+', '-').slice(0, 20)])
      expect(shown).not.toContain(secret);
    expect(shown).not.toMatch(/07, 07, 07|7, 7, 7, 7/);
  });
});

it.each([
  ['network', { network: '' }],
  ['mirror', { network: 'mine', mirror: undefined }],
  ['operator', { operator: 'me' }],
  ['signer', { signer: { type: 'ed25519', publicKey: new Uint8Array(3), sign: () => new Uint8Array() } }],
  ['nodes', { nodes: [] }],
  ['tokens', { tokens: { a: 'b' } }],
])('an invalid option %s is refused by its name', async (name, options) => {
  const { openHederaLedger } = await import('../src/index.js');
  const valid = {
    store: new MemoryStore(),
    network: 'testnet',
    operator: OPERATOR,
    signer: ed25519Signer(OPERATOR_KEY),
  };
  expect(() => openHederaLedger({ ...valid, ...(options as object) })).toThrow(
    expect.objectContaining({
      code: 'OPTION_INVALID',
      facts: expect.objectContaining({ option: name }) as unknown,
    }) as Error,
  );
});
