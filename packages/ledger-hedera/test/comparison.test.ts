/** Comparing the book with the ledger: what agrees is silent, and whatever was done to either side is named. */
import { createEngine, MemoryStore } from '@blockwork/core';
import { afterEach, expect, it } from 'vitest';
import { effect, message, messageEffect, OPERATOR, startBench, topicEffect } from './support/bench.js';
import { closeAll, closing, kinds, owner, registry, workBlock, world } from './support/compared-policy.js';

afterEach(closeAll);

it('a book that was settled agrees with the ledger', async () => {
  const { compare, work } = await world();
  await work();
  const { differences, notes, compared } = await compare();
  expect({ differences, notes }).toEqual({ differences: [], notes: [] });
  expect(compared).toMatchObject({ tokens: 2, balances: 2, serials: 24, topics: 2 });
  expect(compared.messages).toBeGreaterThan(2);
});

it('a trial is not missed on the ledger', async () => {
  const bench = startBench();
  const engine = createEngine({ blocks: [workBlock], store: bench.store, ledger: bench.open() });
  closing.push(() => engine.close());
  const config = { blockType: 'workBlock', tag: 'work', permissions: ['ANY_ROLE'] };
  const token = { tokenId: '0.0.77', tokenName: 'Credit', tokenSymbol: 'CR', tokenType: 'fungible', decimals: '2' };
  const deeds = { ...token, tokenId: '0.0.78', tokenType: 'non-fungible', decimals: '0' };
  const { policy } = await engine.importPolicy(registry, { name: 'Work', config, tokens: [token, deeds] });
  await engine.lifecycle.dryRun(registry, policy.id);
  await engine.sendToBlock(registry, policy.id, { tag: 'work' }, {});
  const { differences, notes } = await engine.ledger.compare(registry, policy.id);
  expect(differences).toEqual([]);
  expect(notes).toEqual(['The policy is a draft or in a trial, of which nothing reaches the ledger.']);
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
  const { store, policyId, work, network, compare, clock } = await world();
  const answer = network.mirror.bind(network);
  let asked = 0;
  const during = (test: RegExp, happens: () => void): void => {
    network.mirror = (path) => {
      if (test.test(path)) happens();
      return answer(path);
    };
  };
  // What the book gets meanwhile is not on the ledger yet.
  const changed = [...(await store.find('ledger-effect', policyId))].filter(({ tokenId }) => tokenId !== undefined);
  const meanwhile = changed.map((each, n) => ({ ...each, id: `${policyId}/later/${String(n)}` }));
  const waiting: Promise<void>[] = [];
  during(/^tokens\/[\d.]+$/, () => {
    asked += 1;
    for (const token of network.ledger.tokens.values()) for (const each of token.relations.values()) each.balance += 1n;
    const changes = meanwhile.map(
      (value) => ({ op: 'put', kind: 'ledger-effect', partition: policyId, value }) as const,
    );
    waiting.push(store.commit({ expect: {}, changes }));
  });
  const { differences, notes } = await compare();
  await Promise.all(waiting);
  expect(asked).toBe(2);
  expect(differences).toEqual([]);
  expect(notes).toEqual([0, 0].map(() => expect.stringContaining('it changed meanwhile') as unknown));
  // What is sent after the comparison began is not missed in the book.
  let isSent = false;
  during(/^topics/, () => {
    const [topic] = network.ledger.topics.values();
    const last = topic?.messages.at(-1);
    if (isSent || topic === undefined || last === undefined) return;
    isSent = true;
    const at = String(Math.floor(clock.now() / 1000) + 1);
    topic.messages.push({ ...last, text: 'later', consensusAt: `${at}.000000001` });
    clock.advance('1m');
  });
  expect((await compare()).differences.filter(({ kind }) => kind.startsWith('message'))).toEqual([]);
  expect(isSent).toBe(true);
  await work();
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
