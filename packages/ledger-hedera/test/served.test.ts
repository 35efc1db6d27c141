/** The adapter over real connections: gRPC to nodes, REST to the mirror, behind an engine. */
import { createEngine, MemoryStore, systemClock } from '@blockwork/core';
import { afterEach, expect, it } from 'vitest';
import { ed25519Signer, openHederaLedger } from '../src/index.js';
import { FakeLedger } from './support/fake-ledger.js';
import { FakeNetwork, type Fault } from './support/fake-network.js';
import { OPERATOR, OPERATOR_KEY, topicEffect } from './support/bench.js';
import { mintingBlock, mintingPolicy, registry } from './support/minting-policy.js';
import { serve } from './support/served-network.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function world() {
  const ledger = new FakeLedger(() => systemClock.now());
  const network = new FakeNetwork(ledger);
  ledger.addAccount(OPERATOR, ed25519Signer(OPERATOR_KEY).publicKey);
  const served = await serve(network);
  closing.push(() => served.close());
  const options = {
    store: new MemoryStore(),
    network: 'fake',
    mirror: served.mirror,
    nodes: served.nodes,
    operator: OPERATOR,
    signer: ed25519Signer(OPERATOR_KEY),
    accounts: 'created',
    pollMs: 5,
    answerMs: 120_000,
    polls: 400,
  } as const;
  return { ledger, network, options };
}

it('a published policy mints on the ledger, and its memo names the message there', async () => {
  const { ledger, options } = await world();
  const engine = createEngine({ blocks: [mintingBlock], store: options.store, ledger: openHederaLedger(options) });
  closing.push(() => engine.close());
  const { policy } = await engine.importPolicy(registry, mintingPolicy);
  await engine.lifecycle.publish(registry, policy.id, '1.0.0');
  await engine.sendToBlock(registry, policy.id, { tag: 'mint' }, {});
  await expect.poll(async () => (await engine.program.getBacklog()).settlements).toBe(0);
  const [[tokenId = '', fakeToken] = []] = ledger.tokens;
  expect(fakeToken).toMatchObject({ name: 'Credit', isFungible: true });
  expect(ledger.supply(tokenId)).toBe(125n);
  const topic = [...ledger.topics.values()].find(({ memo }) => memo === 'Policy instance configuration topic');
  const announced = topic?.messages.at(-1);
  expect(JSON.parse(announced?.text ?? '')).toMatchObject({ type: 'VC-Document', status: 'ISSUE' });
  expect(ledger.successes('mint').map(({ memo }) => memo)).toEqual([announced?.consensusAt]);
});

it.each<Fault>(['busy', 'unavailable', 'lost', 'silent'])('an answer that is %s changes nothing', async (fault) => {
  const { ledger, network, options } = await world();
  // Only a node that never answers is waited for; a slow machine just has it tried again.
  const adapter = openHederaLedger({ ...options, answerMs: fault === 'silent' ? 500 : options.answerMs });
  closing.push(() => adapter.close());
  let faults = 1;
  network.nextFault = (kind) => (kind === 'submit' && faults-- > 0 ? fault : 'none');
  const effect = topicEffect();
  await expect
    .poll(() =>
      adapter.settle(effect, { document: null, token: null }).then(
        () => 'settled',
        () => 'not yet',
      ),
    )
    .toBe('settled');
  expect(ledger.topics.size).toBe(1);
  expect(ledger.successes('createTopic')).toHaveLength(1);
});

it('asks the mirror for the nodes if none are given, and waits while it does not answer', async () => {
  const { network, options } = await world();
  const { nodes: _, ...without } = options;
  const adapter = openHederaLedger(without);
  closing.push(() => adapter.close());
  network.nextFault = (kind) => (kind === 'mirror' ? 'unavailable' : 'none');
  await expect(adapter.settle(topicEffect(), { document: null, token: null })).rejects.toThrow();
});

it('closes at once while the mirror is silent, as often as it is asked to', async () => {
  const { network, options } = await world();
  const { nodes: _, ...without } = options;
  const adapter = openHederaLedger(without);
  let asked = 0;
  network.nextFault = (kind) => {
    if (kind === 'mirror') asked += 1;
    return 'silent';
  };
  const ends = Promise.allSettled([adapter.settle(topicEffect(), { document: null, token: null })]);
  await expect.poll(() => asked).toBe(1);
  await Promise.all([adapter.close(), adapter.close()]);
  await adapter.close();
  expect(await ends).toMatchObject([{ status: 'rejected', reason: { message: 'The ledger was closed meanwhile.' } }]);
  expect(asked).toBe(1);
});
