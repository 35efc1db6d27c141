import fc from 'fast-check';
import { SimulatedClock } from '@blockwork/testing';
import { describe, expect, it, vi } from 'vitest';
import { turn } from '../../../test/background.js';
import { openBook, P, TestBook } from '../../../test/ledger-book.js';
import { SlowStore } from '../../../test/slow-store.js';

const topics = [
  { name: 'projects', static: true, description: 'Projects of all' },
  { name: 'reports', static: false, description: 'Reports', memo: 'reports of one' },
];
const message = { topic: 'root', type: 'vc-document', owner: 'did:example:owner' };

describe('topics', () => {
  it('are made with their first message: one for the policy, one for each owner where they are not static', async () => {
    const testLedger = await openBook({ topics, did: 'did:example:user' });
    const ids = await testLedger.unit(async (ledger) => [
      (await ledger.publish(message)).topicId,
      (await ledger.publish({ ...message, topicOwner: 'did:example:a' })).topicId,
      (await ledger.publish({ ...message, topic: 'projects', topicOwner: 'did:example:a' })).topicId,
      (await ledger.publish({ ...message, topic: 'projects', topicOwner: 'did:example:b' })).topicId,
      (await ledger.publish({ ...message, topic: 'reports', topicOwner: 'did:example:a' })).topicId,
      (await ledger.publish({ ...message, topic: 'reports', topicOwner: 'did:example:b' })).topicId,
      (await ledger.publish({ ...message, topic: 'reports' })).topicId,
    ]);
    expect(ids).toEqual(['0.0.1001', '0.0.1001', '0.0.1002', '0.0.1002', '0.0.1003', '0.0.1004', '0.0.1005']);
    expect(await testLedger.store.find('ledger-topic', P)).toEqual([
      { id: '0.0.1001', name: 'root', owner: '', memo: '' },
      { id: '0.0.1002', name: 'projects', owner: '', memo: 'Projects of all' },
      { id: '0.0.1003', name: 'reports', owner: 'did:example:a', memo: 'reports of one' },
      { id: '0.0.1004', name: 'reports', owner: 'did:example:b', memo: 'reports of one' },
      { id: '0.0.1005', name: 'reports', owner: 'did:example:user', memo: 'reports of one' },
    ]);
    const topicEffects = (await testLedger.ledger.listEffects(P)).items.filter(({ type }) => type === 'create-topic');
    expect(topicEffects.map(({ topicId }) => topicId)).toEqual([
      '0.0.1001',
      '0.0.1002',
      '0.0.1003',
      '0.0.1004',
      '0.0.1005',
    ]);
  });

  it('are named by their id once they have messages, and no other can be', async () => {
    const testLedger = await openBook({ topics });
    const topicOf = async (topic: string | { id: string }) =>
      (await testLedger.unit((ledger) => ledger.publish({ ...message, topic, topicOwner: 'did:example:a' }))).topicId;
    const reports = await topicOf('reports');
    const root = await topicOf('root');
    expect(await topicOf({ id: reports })).toBe(reports);
    expect((await testLedger.reader.topics()).map(({ id }) => id)).toEqual([reports, root]);
    await expect(topicOf({ id: '0.0.9' })).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(await testLedger.reader.messages({ path: 'topicId', op: 'eq', value: reports })).toHaveLength(2);
  });

  it('that the policy does not name are refused, with those that it has', async () => {
    const testLedger = await openBook({ topics });
    await expect(testLedger.unit((ledger) => ledger.publish({ ...message, topic: 'other' }))).rejects.toMatchObject({
      code: 'LEDGER_REFUSED',
      message: 'The ledger refuses this: the policy has no topic "other"; it has: root, projects, reports.',
    });
  });
});

describe('messages', () => {
  it('keep what they say, and are found by their id and by their topic', async () => {
    const testLedger = await openBook({ topics });
    const content = { hash: 'h', relationships: ['1.000000000'], memo: 'm', body: { a: [1] } };
    const first = await testLedger.unit((ledger) => ledger.publish({ ...message, ...content }));
    const second = await testLedger.unit((ledger) => ledger.publish({ ...message, topic: 'projects' }));
    const { topic: _topic, ...facts } = message;
    expect(first).toEqual({ ...facts, ...content, id: '1767225600.000000001', topicId: '0.0.1001' });
    expect(second).toMatchObject({ hash: '', relationships: [], memo: '', body: null });
    expect(await testLedger.reader.message(first.id)).toEqual(first);
    expect(await testLedger.reader.message('1.000000000')).toBeUndefined();
    expect(await testLedger.ledger.listMessages(P)).toEqual([first, second]);
    expect(await testLedger.ledger.listMessages(P, second.topicId)).toEqual([second]);
  });

  it('get ids that increase strictly: within a millisecond, from unit to unit, after a restart, and when the clock goes back', async () => {
    const step = fc.record({ advance: fc.nat(2), messages: fc.integer({ min: 1, max: 3 }), restart: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.nat(3000), async (steps, back) => {
        const clock = new SimulatedClock();
        let testLedger = await openBook({ clock });
        for (const { advance, messages, restart } of steps) {
          clock.advance(advance);
          if (restart) testLedger = new TestBook(testLedger.store, { clock: new SimulatedClock(clock.now() - back) });
          await testLedger.unit(async (ledger) => {
            for (let n = 0; n < messages; n += 1) await ledger.publish(message);
          });
        }
        const ids = (await testLedger.ledger.listMessages(P)).map(({ id }) => id);
        expect(ids).toEqual([...new Set(ids)].sort());
      }),
      { numRuns: 50 },
    );
  });

  it('get ids that increase strictly where many units wait for one write, whose messages the store is not asked for', async () => {
    const store = new SlowStore();
    const testLedger = await openBook({ store });
    const asked = vi.spyOn(store, 'find');
    const ended = { all: false };
    const units = Array.from({ length: 12 }, () =>
      testLedger.unit(async (ledger) => (await ledger.publish(message)).id),
    );
    const all = Promise.all(units).finally(() => (ended.all = true));
    while (!ended.all) {
      await turn();
      await store.apply();
    }
    const ids = await all;
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(asked.mock.calls.filter(([kind]) => kind === 'ledger-message')).toHaveLength(1);
  });
});

describe('descendants of a message', () => {
  it('are all that build on it, each once, oldest first, also those of the same unit', async () => {
    const testLedger = await openBook();
    const publish = (relationships: string[]) =>
      testLedger.unit(async (ledger) => (await ledger.publish({ ...message, relationships })).id);
    const a = await publish([]);
    const b = await publish([a]);
    const c = await publish([a, b]);
    const other = await publish([]);
    const d = await publish([c, other]);
    expect((await testLedger.reader.descendants(a)).map(({ id }) => id)).toEqual([b, c, d]);
    expect((await testLedger.reader.descendants(other)).map(({ id }) => id)).toEqual([d]);
    expect(await testLedger.reader.descendants(d)).toEqual([]);
    await testLedger.unit(async (ledger) => {
      const { id } = await ledger.publish({ ...message, relationships: [d] });
      expect((await ledger.descendants(other)).map((message) => message.id)).toEqual([d, id]);
    });
  });

  it('end where messages refer to each other in a circle', async () => {
    const testLedger = await openBook();
    const base = { topicId: 't', type: 'vc-document', owner: 'o', hash: '', memo: '', body: null };
    const value = (id: string, relationships: string[]) =>
      ({ op: 'put', kind: 'ledger-message', partition: P, value: { ...base, id, relationships } }) as const;
    const [one, two] = ['1700000000.000000001', '1700000000.000000002'];
    await testLedger.store.commit({ expect: {}, changes: [value(one, [two]), value(two, [one])] });
    expect((await testLedger.reader.descendants(one)).map(({ id }) => id)).toEqual([two]);
  });
});
