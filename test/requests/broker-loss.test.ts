import { createEngine, MemoryStore, newInstanceKey, type PolicyEngine } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { openNatsLink } from '@blockwork/link-nats';
import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startServer } from '../support/nats-server.js';
import { ballot, notebook, ownerOf, policyOf, userOf } from './support/ballot.js';

const server = await startServer();
afterAll(() => server?.end());
const hasNone = server === null ? ' (skipped: nats-server is not installed)' : '';
const patiently = { timeout: 60_000, interval: 20 };

const keys = { north: newInstanceKey(), south: newInstanceKey() };
const ana = userOf('north');
const owner = ownerOf('south');
const policy = policyOf('south');
const conversations = 30;

async function instance(name: 'north' | 'south'): Promise<{ engine: PolicyEngine; store: MemoryStore }> {
  const peer = name === 'north' ? 'south' : 'north';
  const store = new MemoryStore();
  const engine = createEngine({
    store,
    link: await openNatsLink({ servers: server?.address ?? '', publishMs: 1000, checkMs: 200 }),
    blocks: [ballot, notebook],
    instance: { id: name, key: keys[name].privateKey },
    peers: [{ id: peer, key: keys[peer].publicKey, identities: [`did:${peer}:*`] }],
  });
  return { engine, store };
}

describe.skipIf(server === null)(`two instances whose broker is wiped in the middle${hasNone}`, () => {
  it('end every conversation alike, and carry out each request once', async () => {
    const [north, south] = [await instance('north'), await instance('south')];
    await south.engine.importPolicy(owner, policy);
    const ask = (vote: number) =>
      north.engine.requests.ask(ana, {
        to: 'south',
        policyId: policy.id,
        action: { type: 'send-data', tag: 'ballot', user: { did: ana.did }, data: { vote: String(vote) } },
      });
    const approveAll = async (): Promise<void> => {
      for (const { direction, status, messageId } of await south.store.find('request', INSTANCE))
        if (direction === 'incoming' && status === 'NEW')
          await south.engine.requests.approveAsOffered(owner, messageId);
    };
    for (let vote = 0; vote < conversations; vote += 1) {
      await ask(vote);
      // Requests and answers are in the broker, in part delivered, when it goes.
      if (vote % 10 === 5) await approveAll();
      if (vote % 10 === 6) await server?.restart((folder) => rm(folder, { recursive: true, force: true }));
    }
    await vi.waitFor(async () => {
      await approveAll();
      const rows = await north.store.find('request', INSTANCE);
      expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: conversations }, () => 'COMPLETED'));
    }, patiently);
    const votes = await south.store.find('document', policy.id, { where: { path: 'type', op: 'eq', value: 'vote' } });
    expect(new Set(votes.map(({ document }) => (document as { vote: string }).vote)).size).toBe(conversations);
    expect(votes).toHaveLength(conversations);
    const hosted = await south.store.find('request', INSTANCE);
    expect(hosted.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
    await north.engine.close();
    await south.engine.close();
  });
});
