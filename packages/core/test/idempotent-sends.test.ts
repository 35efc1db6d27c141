import { createEngine, type Caller, type EngineOptions, type Ids, type PolicyEngine } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { block, MemoryCluster, SimulatedClock } from '@blockwork/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

/** Meets every document. */
const everything = { all: [] };

const alice: Caller = { did: 'did:example:alice', role: 'STANDARD_REGISTRY' };
const bob: Caller = { did: 'did:example:bob', role: 'USER' };

/** Adds a document, and says how many there are then. */
const tally = defineBlock({
  type: 'tally',
  title: 'Tally',
  description: '',
  kind: 'interface',
  input: z.object({ data: z.string().default(''), isRefused: z.boolean().default(false) }),
  async receive(ctx, { data, isRefused }) {
    await ctx.documents.add({ owner: ctx.user.did, type: 'count', document: { data } });
    if (isRefused) return ctx.fail('INPUT_INVALID', { facts: { reason: 'It was told to fail.' } });
    return { count: (await ctx.documents.find(everything)).length, data };
  },
});

const policy = {
  id: 'p',
  name: 'Tally',
  config: block('interfaceContainerBlock', 'root', { children: [block('tally', 'tally'), block('tally', 'other')] }),
};

const closing: PolicyEngine[] = [];
afterEach(async () => {
  for (const engine of closing.splice(0)) await engine.close();
});

async function nodes(limits: EngineOptions['limits'] = {}, ids?: Ids) {
  const clock = new SimulatedClock();
  const cluster = new MemoryCluster(clock);
  const open = (): PolicyEngine => {
    const engine = createEngine({ store: cluster.connect(), clock, limits, blocks: [tally], ...(ids && { ids }) });
    closing.push(engine);
    return engine;
  };
  const [one, other] = [open(), open()];
  await one.importPolicy(alice, policy);
  await one.lifecycle.dryRun(alice, 'p');
  const send = (engine: PolicyEngine, idempotencyKey?: string, data: object = {}, caller = alice, tag = 'tally') =>
    engine.sendToBlock(caller, 'p', { tag }, data, { idempotencyKey });
  const receipts = (): Promise<number> => cluster.store.count('send-receipt', 'p');
  return { clock, cluster, one, other, send, receipts };
}

describe('a send with an idempotency key', () => {
  it('is carried out once, and answered as the first time by every node', async () => {
    const { one, other, send, cluster } = await nodes();
    const first = await send(one, 'k');
    expect(first).toEqual({ count: 1, data: '' });
    expect(await Promise.all([send(one, 'k'), send(other, 'k'), send(other, 'k')])).toEqual([first, first, first]);
    expect(await cluster.store.count('document', 'p')).toBe(1);
    const sends = (await one.journal.list(alice, 'p')).items.filter(({ cause }) => cause.type === 'send');
    expect(sends).toHaveLength(1);
  });

  it('is carried out once when nodes get it at the same moment', async () => {
    const { one, other, send, cluster } = await nodes();
    const answers = await Promise.all([one, other, one, other].map((engine) => send(engine, 'k')));
    expect(answers).toEqual(answers.map(() => ({ count: 1, data: '' })));
    expect(await cluster.store.count('document', 'p')).toBe(1);
  });

  it('is carried out again for another key, another sender, and without a key', async () => {
    const { one, send } = await nodes();
    expect(await send(one, 'k')).toEqual({ count: 1, data: '' });
    expect(await send(one, 'l')).toEqual({ count: 2, data: '' });
    expect(await send(one, 'k', {}, bob)).toEqual({ count: 3, data: '' });
    expect([await send(one), await send(one)]).toEqual([
      { count: 4, data: '' },
      { count: 5, data: '' },
    ]);
  });

  it('is refused where the key was used for other data or another block', async () => {
    const { one, other, send } = await nodes();
    await send(one, 'k', { data: 'a' });
    await expect(send(other, 'k', { data: 'b' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_USED', status: 422 });
    await expect(send(other, 'k', { data: 'a' }, alice, 'other')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_USED',
    });
    expect(await send(other, 'k', { data: 'a' })).toEqual({ count: 1, data: 'a' });
  });

  it('that failed was not carried out, and may be sent again', async () => {
    const { one, send, receipts } = await nodes();
    const refused = send(one, 'k', { isRefused: true });
    await expect(refused).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await receipts()).toBe(0);
    expect(await send(one, 'k')).toEqual({ count: 1, data: '' });
  });

  it.each(['', 'a b', 'ü', 'a\n', 'x'.repeat(201)])('is refused if the key cannot be one: %j', async (key) => {
    const { one, send, cluster } = await nodes();
    await expect(send(one, key)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await cluster.store.count('document', 'p')).toBe(0);
  });

  it('is not answered a second time if the answer was too large to be kept', async () => {
    const { one, other, send, cluster } = await nodes({ receiptCharacters: 40 });
    const data = { data: 'x'.repeat(40) };
    await send(one, 'k', data);
    await expect(send(other, 'k', data)).rejects.toMatchObject({ code: 'ANSWER_NOT_KEPT', status: 409 });
    expect(await cluster.store.count('document', 'p')).toBe(1);
  });

  it('is remembered for as long as the limit says', async () => {
    const { clock, one, send } = await nodes({ receiptMs: 1000 });
    await send(one, 'k');
    clock.advance(999);
    expect(await send(one, 'k')).toEqual({ count: 1, data: '' });
    clock.advance(1);
    expect(await send(one, 'k')).toEqual({ count: 2, data: '' });
  });

  it('is forgotten with the trial it belongs to', async () => {
    const { one, send, receipts } = await nodes();
    await send(one, 'k');
    await one.lifecycle.draft(alice, 'p');
    expect(await receipts()).toBe(0);
  });

  it.each([
    ['after their time', { receiptMs: 1 }],
    ['after many later units', { receiptUnits: 8 }],
  ])('leaves no more than a bounded number of receipts %s', async (_, limits) => {
    const { clock, one, send, receipts } = await nodes(limits);
    let most = 0;
    for (let n = 0; n < 600; n += 1) {
      await send(one, `k${String(n)}`);
      clock.advance(2);
      most = Math.max(most, await receipts());
    }
    // One in sixteen sends removes up to 32: this many in a row that remove nothing are not to be expected.
    expect(most).toBeLessThan(300);
  });

  describe('in a policy with many old receipts', () => {
    const OLD = 2_000;
    /** With them, each send removes some. */
    const ids = (): Ids => {
      let count = 0;
      return { uuid: () => `0-${String((count += 1))}` };
    };
    /** `read`: how many receipts each question to the store was answered with. */
    const full = async () => {
      const world = await nodes({}, ids());
      const { cluster } = world;
      const changes = Array.from({ length: OLD }, (_, at) => ({
        ...{ op: 'put' as const, kind: 'send-receipt' as const, partition: 'p' },
        value: { id: `r${String(at)}`, request: '', tag: '', expires: 0, revision: 0 },
      }));
      await cluster.store.commit({ expect: {}, changes });
      const read: number[] = [];
      const find = cluster.store.find.bind(cluster.store);
      vi.spyOn(cluster.store, 'find').mockImplementation(async (kind, partition, query) => {
        const records = await find(kind, partition, query);
        if (kind === 'send-receipt') read.push(records.length);
        return records;
      });
      return { ...world, read };
    };

    it('reads a part of them at once, however many there are, and that part once', async () => {
      const { one, send, receipts, read } = await full();
      for (let n = 0; n < 100; n += 1) await send(one, `k${String(n)}`);
      expect(await receipts()).toBe(100);
      // The first, to find out that there are too many to keep.
      const [all, ...parts] = read;
      expect(all).toBe(1_001);
      expect(Math.max(...parts)).toBeLessThan(200);
      expect(parts.length).toBeLessThan(25);
    });

    it('leaves those that another node has written anew since it read them', async () => {
      const { one, other, send, clock, receipts } = await nodes({ receiptMs: 1_000 }, ids());
      for (let n = 0; n < 40; n += 1) await send(one, `k${String(n)}`);
      clock.advance(1_000);
      await send(one, 'l');
      // Read, and left for the next send.
      expect(await receipts()).toBe(9);
      const again = await send(other, 'k36');
      // Removes none, and has this node know of the other one's send.
      await send(one);
      await send(one, 'm');
      expect(await send(other, 'k36')).toEqual(again);
    });
  });
});
