/** The number of statements that sends and reads take, counted at the driver. */
import { createEngine, systemTimers, type PolicyEngine, type Timers } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block } from '@blockwork/testing';
import { Client } from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { openPostgresStore, type PostgresStore } from '../src/index.js';
import { describeWithDatabase } from '../../../test/support/postgres/database.js';
import { blocks, owner, policyNamed } from './support/cluster-policy.js';

await describeWithDatabase('Round trips', (database) => {
  const engines: PolicyEngine[] = [];
  const open = async (): Promise<PolicyEngine> => {
    // The notifier's heartbeat would be counted too.
    const store = await openPostgresStore({ address: database.address(), timers: withoutBackground });
    await connected(store);
    const engine = createEngine({ store, blocks: [...blocks, total, certificate], timers: withoutBackground });
    engines.push(engine);
    return engine;
  };
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  });

  it('are one commit for a send and one query for a read, if nobody else writes', async () => {
    const engine = await open();
    await imported(engine, 'warm');
    const send = (n: number): Promise<unknown> => engine.sendToBlock(owner, 'warm', { tag: 'account' }, { n });
    const read = (): Promise<string> => engine.readBlockText(owner, 'warm', { tag: 'total' });
    await send(1);
    await read();
    await send(1);
    expect(await statementsOf(() => send(1))).toEqual([expect.stringContaining('insert into')]);
    // First computed from cached records, then from the cached answer.
    for (const _ of [1, 2])
      expect(await statementsOf(async () => expect(await read()).toBe('3'))).toEqual([asksRevisions]);
  });

  it('are none for a credential that a send makes, even with more of them than a node caches', async () => {
    const engine = await open();
    await imported(engine, 'credentials');
    const put = { op: 'put', partition: 'credentials' } as const;
    const old = { ...{ policyId: 'credentials', owner: owner.did, option: {} }, createDate: '', updateDate: '' };
    const changes = Array.from({ length: 1_001 }, (_, at) => String(at)).flatMap((id) => [
      { ...put, kind: 'document' as const, value: { ...old, id, dataType: 'vc-documents' as const, document: {} } },
      { ...put, kind: 'block-entry' as const, value: { id, tag: 'certificate', key: 'used', value: true } },
    ]);
    const store = await openPostgresStore({ address: database.address() });
    await store.commit({ expect: {}, changes });
    await store.close();
    const send = (): Promise<unknown> => engine.sendToBlock(owner, 'credentials', { tag: 'certificate' }, {});
    const several = (): Promise<unknown> => Promise.all(Array.from({ length: 20 }, send));
    await send();
    await several();
    const methods = Object.getPrototypeOf(store) as PostgresStore;
    const reads = [vi.spyOn(methods, 'get'), vi.spyOn(methods, 'find'), vi.spyOn(methods, 'count')];
    await send();
    await several();
    const kinds = reads.flatMap(({ mock }) => mock.calls.map(([kind]) => kind));
    expect(kinds.filter((kind) => ['document', 'block-entry', 'identity'].includes(kind))).toEqual([]);
  });

  it('are one commit for a send, even with more documents than a node caches', async () => {
    const engine = await open();
    await imported(engine, 'large');
    const store = await openPostgresStore({ address: database.address() });
    const document = {
      policyId: 'large',
      dataType: 'vc-documents' as const,
      owner: owner.did,
      option: {},
      document: {},
    };
    const changes = Array.from({ length: 1_001 }, (_, at) => ({
      ...{ op: 'put' as const, kind: 'document' as const, partition: 'large' },
      value: { ...document, id: `old-${String(at)}`, createDate: '2026-01-01', updateDate: '2026-01-01' },
    }));
    await store.commit({ expect: {}, changes });
    await store.close();
    const send = (n: number): Promise<unknown> => engine.sendToBlock(owner, 'large', { tag: 'account' }, { n });
    await send(1);
    await send(1);
    expect(await statementsOf(() => send(1))).toEqual([expect.stringContaining('insert into')]);
  });

  it('are as many for a list of a hundred policies as for one of two, for every caller', async () => {
    const engine = await open();
    const ids = Array.from({ length: 100 }, (_, at) => `listed-${String(at)}`);
    for (const id of ids) await engine.importPolicy(owner, policyNamed(id));
    /** The least of several: what the imports left to be done later may fall into some of them. */
    const least = async (list: () => Promise<void>): Promise<number> => {
      let fewest = Infinity;
      for (let n = 0; n < 10; n += 1) fewest = Math.min(fewest, (await statementsOf(list)).length);
      return fewest;
    };
    const listed = (limit: number): Promise<number> =>
      least(async () => expect((await engine.listPolicies(owner, { limit })).items).toHaveLength(limit));
    const few = await listed(2);
    expect(await listed(100)).toBe(few);
    // For whom all of them are drafts of others.
    const user = { did: 'did:example:user', role: 'USER' };
    const none = await least(async () => expect((await engine.listPolicies(user)).items).toEqual([]));
    expect(none).toBeLessThanOrEqual(few + 3);
  });

  it('are one more query for a send after another node has written, and no commit is refused', async () => {
    const [one, other] = [await open(), await open()];
    await imported(one, 'shared');
    const send = (engine: PolicyEngine): Promise<unknown> =>
      engine.sendToBlock(owner, 'shared', { tag: 'account' }, { n: 1 });
    for (const engine of [one, other, one, other]) await send(engine);
    const statements = await statementsOf(() => send(one));
    expect(statements[0]).toEqual(asksRevisions);
    expect(statements.filter((text) => text.includes('insert into'))).toHaveLength(1);
    expect(await one.readBlock(owner, 'shared', { tag: 'total' })).toBe(5);
  });
});

/** Disables background timers only: nodes that conflict still wait for each other. */
const withoutBackground: Timers = {
  after: (ms, run, kind) => (kind === 'background' ? () => undefined : systemTimers.after(ms, run)),
};

/** Waits for the notifier: if it connected later, its notification would cause reads. */
const connected = ({ notifier }: PostgresStore): Promise<void> =>
  new Promise((resolve) => {
    const end = notifier.subscribe(() => {
      end();
      resolve();
    });
  });

const asksRevisions: unknown = expect.stringMatching(/^select key, number, /);

const total = defineBlock({
  type: 'testTotal',
  title: 'Total',
  description: '',
  kind: 'interface',
  pure: true,
  read: (ctx) => ctx.documents.count({ sources: [{ tag: '', where: { path: 'type', op: 'eq', value: 'payment' } }] }),
});

/** Stores a credential and uses it up, each unless that has been done before. */
const certificate = defineBlock({
  type: 'testCertificate',
  title: 'Certificate',
  description: '',
  kind: 'interface',
  async receive(ctx) {
    const document = await ctx.credentials.issue({ issuer: ctx.policy.owner, subject: {} });
    const [id, hash] = [document.id as string, ctx.credentials.hash(document)];
    const stored = await ctx.documents.find({ path: 'hash', op: 'eq', value: hash }, { limit: 1 });
    const used = await ctx.entries.get(id);
    if (stored.length > 0 || used !== undefined) throw new Error('It is not new.');
    await ctx.documents.add({ owner: ctx.policy.owner, hash, document });
    await ctx.entries.put({ id, key: 'used', value: true });
  },
});

/** Without the ticker, whose timers would write in between. */
async function imported(engine: PolicyEngine, id: string): Promise<void> {
  const policy = policyNamed(id) as { config: { children: unknown[] } };
  const ofCertificates = block('testCertificate', 'certificate');
  policy.config.children = [block('testAccount', 'account'), block('testTotal', 'total'), ofCertificates];
  await engine.importPolicy(owner, policy);
  await engine.lifecycle.dryRun(owner, id);
}

/**
 * The statements sent during `work`, except those of the notifier, which has its own connection and which nobody waits
 * for.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const query = vi.spyOn(Client.prototype, 'query').mockName('query');
  await work();
  for (const [statement] of query.mock.calls as unknown[][]) {
    texts.push(typeof statement === 'string' ? statement : (statement as { text: string }).text);
  }
  query.mockRestore();
  return texts.filter((text) => !/pg_notify|^listen |pg_backend_pid/.test(text));
}
