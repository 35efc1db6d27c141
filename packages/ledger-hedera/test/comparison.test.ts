/** Comparing the book with the ledger: what agrees is silent, and whatever was done to either side is named. */
import { createEngine, MemoryStore, type LedgerComparison } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { readBook } from '../src/comparison/book.js';
import { compareMessages } from '../src/comparison/compare-messages.js';
import { compareTokens } from '../src/comparison/compare-tokens.js';
import { Findings } from '../src/comparison/findings.js';
import { effect, message, messageEffect, OPERATOR, startBench, topicEffect, type Bench } from './support/bench.js';

const owner = { did: 'did:example:registry', role: 'OPERATOR', permissions: ['INSTANCE_OPERATE'] };
const registry = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };

/** Publishes a message that builds on the one before, and mints of both kinds. */
const workBlock = defineBlock({
  type: 'workBlock',
  title: 'Work',
  description: '',
  kind: 'interface',
  input: z.object({}),
  async receive(ctx) {
    const document = { id: `urn:uuid:${ctx.ids.uuid()}`, issuer: registry.did };
    const { id } = await ctx.ledger.publish({ topic: 'root', type: 'vc-document', owner: registry.did, document });
    await ctx.ledger.mint('0.0.77', '0.0.88', 125n, id);
    await ctx.ledger.mint('0.0.78', '0.0.88', 12n, id);
  },
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface World extends Bench {
  readonly policyId: string;
  readonly compare: () => Promise<LedgerComparison>;
  readonly work: () => Promise<void>;
}

async function world(): Promise<World> {
  const bench = startBench();
  const adapter = bench.open();
  const engine = createEngine({ blocks: [workBlock], store: bench.store, ledger: adapter });
  closing.push(() => engine.close());
  const config = { blockType: 'workBlock', tag: 'work', permissions: ['ANY_ROLE'] };
  const fungible = { tokenId: '0.0.77', tokenName: 'Credit', tokenSymbol: 'CR', tokenType: 'fungible', decimals: '2' };
  const deeds = { tokenId: '0.0.78', tokenName: 'Deed', tokenSymbol: 'DE', tokenType: 'non-fungible', decimals: '0' };
  const tokens = [fungible, deeds].map((each) => ({ ...each, enableFreeze: true, enableWipe: true, enableKYC: true }));
  const { policy } = await engine.importPolicy(registry, { name: 'Work', config, tokens });
  await engine.lifecycle.publish(registry, policy.id, '1.0.0');
  const compare = (): Promise<LedgerComparison> => {
    // What came in the last moment is left out.
    bench.clock.advance('1m');
    return engine.ledger.compare(registry, policy.id);
  };
  const work = async (): Promise<void> => {
    await engine.sendToBlock(registry, policy.id, { tag: 'work' }, {});
    await engine.program.ledger.idle();
  };
  await work();
  expect(await engine.program.getBacklog()).toMatchObject({ settlements: 0 });
  return { ...bench, policyId: policy.id, compare, work };
}

const kinds = ({ differences }: LedgerComparison) => differences.map(({ kind }) => kind);

it('a book that was settled agrees with the ledger', async () => {
  const { compare, work } = await world();
  await work();
  const { differences, notes, compared } = await compare();
  expect({ differences, notes }).toEqual({ differences: [], notes: [] });
  expect(compared).toMatchObject({ tokens: 2, balances: 2, serials: 24, topics: 1 });
  expect(compared.messages).toBeGreaterThan(2);
});

it('minting, moving, freezing and destroying behind the back of the policy are named', async () => {
  const { compare, ledger } = await world();
  const [credit, deed] = [...ledger.tokens.values()].sort((a, b) => Number(b.isFungible) - Number(a.isFungible));
  const holder = [...(credit?.relations.keys() ?? [])].find((account) => account !== OPERATOR) ?? '';
  const relation = credit?.relations.get(holder);
  if (relation === undefined || deed === undefined) throw new Error('Nothing was minted.');
  relation.balance += 5n;
  expect(kinds(await compare())).toEqual(['supply', 'balance']);
  relation.balance -= 5n;
  relation.isFrozen = true;
  const [frozen] = (await compare()).differences;
  expect(frozen).toMatchObject({ kind: 'frozen', book: 'not frozen', ledger: 'frozen' });
  relation.isFrozen = false;
  deed.owners.set(3, '0.0.4711');
  expect((await compare()).differences.find(({ kind }) => kind === 'serial')).toMatchObject({
    subject: expect.stringContaining('serial 3') as unknown,
    book: holder,
    ledger: '0.0.4711',
  });
  deed.owners.delete(3);
  expect(kinds(await compare())).toEqual(['supply', 'balance', 'serial']);
  deed.owners.set(3, holder);
  deed.metadata.push('elsewhere');
  deed.owners.set(13, OPERATOR);
  expect(kinds(await compare())).toEqual(['supply', 'serial']);
});

it('messages that are gone, changed, or sent from another store are named', async () => {
  const { compare, ledger, store, policyId } = await world();
  const topic = [...ledger.topics.values()].find(({ memo }) => memo === 'Policy instance configuration topic');
  if (topic === undefined) throw new Error('There is no topic.');
  const messages = [...topic.messages];
  const [link, vc] = messages;
  if (link === undefined || vc === undefined) throw new Error('There is no message.');
  topic.messages = messages.slice(0, -1);
  expect(kinds(await compare())).toEqual(['message-missing']);
  topic.messages = messages.map((each) => (each === vc ? { ...vc, text: vc.text.replace('ISSUE', 'ISSUF') } : each));
  expect(kinds(await compare())).toEqual(['message-changed']);
  topic.messages = [...messages, { ...vc, payer: '0.0.9', consensusAt: '1767225600.000000001' }];
  const foreign = await compare();
  expect(kinds(foreign)).toEqual([]);
  expect(foreign.notes).toEqual([expect.stringMatching(/has 1 messages that other accounts sent/)]);
  topic.messages = messages;
  // A restored backup: the ledger has what the store does not know.
  const rows = await store.find('ledger-row', policyId);
  const last = rows.findLast(
    ({ content }) => (content['operation'] as { type?: string } | undefined)?.type === 'submit-message',
  );
  await store.commit({
    expect: {},
    changes: [{ op: 'delete', kind: 'ledger-row', partition: policyId, id: last?.id ?? '' }],
  });
  const [unknown] = (await compare()).differences;
  expect(unknown).toMatchObject({ kind: 'message-unknown', book: 'no such message' });
  expect(unknown?.remedy).toContain('restored backup');
});

it('messages in another order than that of the book are named', async () => {
  const { compare, store, policyId, work } = await world();
  await work();
  const of = await store.find('ledger-message', policyId);
  const [first = '', second = ''] = of.filter(({ type }) => type === 'vc-document').map(({ id }) => `id/message/${id}`);
  const [a, b] = await Promise.all([first, second].map((id) => store.get('ledger-row', policyId, id)));
  if (a === undefined || b === undefined) throw new Error('The messages have no ids on the ledger.');
  const put = (value: typeof a) => ({ op: 'put', kind: 'ledger-row', partition: policyId, value }) as const;
  await store.commit({ expect: {}, changes: [put({ ...a, content: b.content }), put({ ...b, content: a.content })] });
  expect(kinds(await compare())).toContain('message-order');
});

it('what waits is left out, and said to be', async () => {
  const { compare, network, work, ledger } = await world();
  network.nextFault = (kind) => (kind === 'submit' ? 'unavailable' : 'none');
  await work();
  const { differences, notes } = await compare();
  expect(differences).toEqual([]);
  expect(notes.join('\n')).toMatch(/effects wait to be settled/);
  expect(notes.join('\n')).toMatch(/Token 0\.0\.77 is not compared/);
  expect(ledger.tokens.size).toBe(2);
});

it('what happens while the ledger is read is no difference', async () => {
  const { store, policyId, work } = await world();
  const book = await readBook(store, policyId);
  const findings = new Findings();
  const history = {
    token: async () => {
      await work();
      return { supply: '999' };
    },
    owners: async function* () {
      yield* await Promise.resolve([]);
    },
  };
  const mirror = { relation: () => Promise.resolve(undefined) };
  const changedSince = async () =>
    new Set((await store.find('ledger-effect', policyId, { offset: book.effects })).map(({ tokenId = '' }) => tokenId));
  await compareTokens(
    book,
    { history, mirror, operatorAccount: OPERATOR, createsAccounts: true, tokens: {}, changedSince },
    findings,
  );
  const at = '1999999999.000000001';
  const later = { consensusAt: at, payer: OPERATOR, sequenceNumber: 1, content: Buffer.from('later') };
  const messages = async function* () {
    yield* await Promise.resolve([later]);
  };
  const upTo = '1767225600.000000000';
  const rows = book.rows.filter(({ consensusAt }) => consensusAt === null);
  await compareMessages(
    { ...book, rows },
    { history: { messages, message: () => Promise.resolve(undefined) }, operatorAccount: OPERATOR, upTo },
    findings,
  );
  const { differences, notes } = findings.collected;
  expect(differences).toEqual([]);
  expect(notes).toEqual([0, 0].map(() => expect.stringContaining('it changed meanwhile') as unknown));
});

it('a mirror that lists nothing new for ever is not read for ever', async () => {
  const bench = startBench();
  const adapter = bench.open();
  await adapter.settle(topicEffect(), { document: null, token: null });
  await adapter.settle(messageEffect(message('1767225610.000000001')), { document: null, token: null });
  await bench.store.commit({
    expect: {},
    changes: [
      {
        op: 'put',
        kind: 'ledger-topic',
        partition: 'policy-1',
        value: { id: 'book-topic', name: 'root', owner: '', memo: '' },
      },
    ],
  });
  const answer = bench.network.mirror.bind(bench.network);
  bench.network.mirror = (path) => answer(path.replace(/sequencenumber=gt:\d+/, 'sequencenumber=gt:0'));
  const topic = [...bench.ledger.topics.values()][0];
  const [first] = topic?.messages ?? [];
  if (topic === undefined || first === undefined) throw new Error('There is no message.');
  topic.messages = [...topic.messages, ...Array.from({ length: 120 }, () => ({ ...first, payer: '0.0.9' }))];
  bench.clock.advance('1m');
  await expect(adapter.operation.compare('policy-1')).rejects.toThrow('out of order');
});

it('only an operator may ask, and only about a ledger that can be asked', async () => {
  const { compare } = await world();
  await compare();
  const engine = createEngine({ store: new MemoryStore() });
  closing.push(() => engine.close());
  await expect(engine.ledger.status(owner)).rejects.toMatchObject({ code: 'LEDGER_ABSENT' });
  await expect(engine.ledger.status(registry)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
});

it('an operator who resumes has everything tried at once that waits', async () => {
  const bench = startBench();
  const engine = createEngine({ blocks: [workBlock], store: bench.store, ledger: bench.open() });
  closing.push(() => engine.close());
  bench.network.nextFault = () => 'unavailable';
  const config = { blockType: 'workBlock', tag: 'work', permissions: ['ANY_ROLE'] };
  const { policy } = await engine.importPolicy(registry, { name: 'Work', config });
  await engine.lifecycle.publish(registry, policy.id, '1.0.0');
  await engine.program.ledger.idle();
  const before = await engine.ledger.status(owner);
  expect(before.pending).toBeGreaterThan(0);
  expect(before.stuck).toMatchObject([{ work: 'settlement', id: policy.id, failures: 1 }]);
  bench.network.nextFault = () => 'none';
  await engine.ledger.resume(owner);
  await engine.program.ledger.idle();
  expect(await engine.ledger.status(owner)).toMatchObject({ pending: 0, oldest: null, stuck: [] });
  await expect(engine.ledger.resume(owner, { allowance: 'all' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  expect(effect('mint').policyId).toBe('policy-1');
});
