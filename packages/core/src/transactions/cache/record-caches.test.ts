import { describe, expect, it, vi } from 'vitest';
import { turn } from '../../../test/background.js';
import { SlowStore } from '../../../test/slow-store.js';
import { MemoryStore } from '../../memory/index.js';
import type { PolicyStore } from '../../ports/index.js';
import { INSTANCE, type DocumentRecord, type IdentityRecord } from '../../records/index.js';
import { Executor } from '../executor.js';
import { lanes, revisionKeys } from '../revision-keys.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { RecordCaches, type TableSize } from './record-caches.js';
import { WholeTable } from './whole-table.js';

const KEY = revisionKeys.policy.of('p');
const DEFINITION = revisionKeys.definition.of('p');

const nodeOver = (store: MemoryStore & Pick<PolicyStore, 'history'>, small?: TableSize) => {
  const caches = new RecordCaches({ keptRecordBytes: 1_000_000 }, small, store.history);
  const executor = new Executor({
    store,
    commits: { committed: () => undefined },
    limits: { conflictRetries: 3 },
    caches,
  });
  const run = <T>(work: (unit: UnitOfWork) => Promise<T>) => executor.run(lanes.policy.of('p'), [KEY], work);
  return { caches, run };
};

const document = (id: string): DocumentRecord =>
  ({ id, dataType: 'vc-documents', option: {}, document: {} }) as unknown as DocumentRecord;

const add =
  (id: string) =>
  async (unit: UnitOfWork): Promise<number> => {
    const before = await unit.count('document', 'p');
    unit.put('document', 'p', document(id));
    return before;
  };

describe('a node that keeps records', () => {
  it('uses none of another history, though the revisions are the same', async () => {
    const history = { id: 'one', subscribe: () => () => undefined };
    const store = Object.assign(new MemoryStore(), { history });
    const { run } = nodeOver(store);
    await run(add('a'));
    const listed = async (unit: UnitOfWork) => (await unit.find('document', 'p')).map(({ id }) => id);
    expect((await run(listed)).result).toEqual(['a']);
    const replaced = [
      { op: 'delete', kind: 'document', partition: 'p', id: 'a' },
      { op: 'put', kind: 'document', partition: 'p', value: document('b') },
    ] as const;
    await store.commit({ expect: {}, changes: replaced });
    history.id = 'two';
    expect((await run(listed)).result).toEqual(['b']);
  });

  it('begins a unit again if the history changes while it runs', async () => {
    const history = { id: 'one', subscribe: () => () => undefined };
    const store = Object.assign(new MemoryStore(), { history });
    const { run } = nodeOver(store);
    const { attempts } = await run(async (unit) => {
      const count = await unit.count('document', 'p');
      history.id = 'two';
      return count;
    });
    expect(attempts).toBe(2);
  });

  it('asks the store nothing for a unit after its own', async () => {
    const store = new MemoryStore();
    const { run } = nodeOver(store);
    const addDefined = (id: string) => async (unit: UnitOfWork) => [
      await unit.revision(DEFINITION),
      await add(id)(unit),
    ];
    await run(addDefined('a'));
    const spies = (['revision', 'get', 'find', 'count'] as const).map((name) => vi.spyOn(store, name));
    expect((await run(addDefined('b'))).result).toEqual([0, 1]);
    expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  it('asks the store nothing for a unit that stands on another which is not yet durable', async () => {
    const store = new SlowStore();
    const { run } = nodeOver(store);
    const looks = async (unit: UnitOfWork): Promise<unknown> => {
      const where = { path: 'dataType', op: 'eq', value: 'vc-documents' } as const;
      const documents = await unit.find('document', 'p', { where, limit: 5 });
      const [all, some] = [await unit.count('document', 'p'), await unit.count('document', 'p', where)];
      const one = await unit.get('document', 'p', 'a');
      return [documents.map(({ id }) => id), all, some, one?.id, await unit.revision(DEFINITION)];
    };
    for (const id of ['a', 'b']) {
      const ran = run(async (unit) => {
        await looks(unit);
        await add(id)(unit);
      });
      while (store.waiting === 0) await turn();
      await store.apply();
      await ran;
    }
    const spies = (['revision', 'get', 'find', 'count'] as const).map((name) => vi.spyOn(store, name));
    const below = run(add('c'));
    const above = run(looks);
    for (let n = 0; n < 10; n += 1) await turn();
    expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([]);
    await store.apply();
    expect([(await below).result, (await above).result]).toEqual([2, [['a', 'b', 'c'], 3, 3, 'a', 0]]);
  });

  it.each([
    ['records', { records: 3, bytes: 1_000_000 }],
    ['bytes', { records: 1_000, bytes: 220 }],
  ])('keeps a table as a whole until it has too many %s', async (_, small) => {
    const { caches, run } = nodeOver(new MemoryStore(), small);
    const wholeTables: boolean[] = [];
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      await run(add(id));
      wholeTables.push(caches.table(KEY, at + 1, 'document') instanceof WholeTable);
    }
    expect([wholeTables[0], wholeTables.lastIndexOf(true) < 3, wholeTables.at(-1)]).toEqual([true, true, false]);
    expect((await run(add('g'))).result).toBe(6);
  });

  it('asks the store once for an identity, and in each unit once for one that there is not', async () => {
    const store = new MemoryStore();
    const { run } = nodeOver(store);
    const identity = { id: 'did:example:a', keys: [] } as unknown as IdentityRecord;
    await store.commit({
      expect: {},
      changes: [{ op: 'put', kind: 'identity', partition: INSTANCE, value: identity }],
    });
    await run(add('a'));
    const get = vi.spyOn(store, 'get');
    const look = (unit: UnitOfWork) =>
      Promise.all(['did:example:a', 'did:example:b'].map((did) => unit.get('identity', INSTANCE, did)));
    for (let n = 0; n < 2; n += 1) {
      await run(async (unit) => {
        for (let again = 0; again < 2; again += 1) expect(await look(unit)).toEqual([identity, undefined]);
      });
    }
    expect(get.mock.calls.map(([, , id]) => id)).toEqual(['did:example:a', 'did:example:b', 'did:example:b']);
  });

  it('takes for an identity only what is one, and only of its own history', async () => {
    const history = { id: 'one', subscribe: () => () => undefined };
    const store = Object.assign(new MemoryStore(), { history });
    const { caches, run } = nodeOver(store);
    const identity = { id: 'same', keys: [] } as unknown as IdentityRecord;
    const put = { op: 'put', kind: 'identity', partition: INSTANCE, value: identity } as const;
    const timer = { id: 'same', type: 'tick', policyId: 'p', due: 1, tag: 'clock' } as const;
    await store.commit({ expect: {}, changes: [put, { op: 'put', kind: 'timer', partition: INSTANCE, value: timer }] });
    await run(async (unit) => {
      expect(await unit.get('identity', INSTANCE, 'same')).toEqual(identity);
      expect(await unit.get('timer', INSTANCE, 'same')).toEqual(timer);
      expect(await unit.get('identity', 'elsewhere', 'same')).toBeUndefined();
    });
    expect(caches.identity('same')).toEqual(identity);
    const another = { ...put, value: { ...identity, id: 'another' } };
    caches.committed({ expect: {}, history: 'two', changes: [another] });
    expect(caches.identity('another')).toBeUndefined();
    caches.committed({ expect: {}, history: 'one', changes: [another] });
    expect(caches.identity('another')).toEqual(another.value);
    const timers = [{ op: 'put', kind: 'timer', partition: INSTANCE, value: { ...timer, id: 'timer' } }] as const;
    caches.committed({ expect: {}, history: 'one', changes: timers });
    expect(caches.identity('timer')).toBeUndefined();
  });

  it('fetches with the first table that a unit misses those that units read one after another', async () => {
    const store = new MemoryStore();
    const { run } = nodeOver(store);
    await run((unit) => {
      unit.put('document', 'p', document('a'));
      return Promise.resolve();
    });
    const find = vi.spyOn(store, 'find');
    await run((unit) => unit.find('trial', 'p'));
    const fetched = find.mock.calls.map(([kind]) => kind);
    expect(new Set(fetched).size).toBe(fetched.length);
    expect(fetched).toEqual(
      expect.arrayContaining(['trial', 'schema', 'membership', 'block-entry', 'ledger-topic', 'token']),
    );
    await run(async (unit) => {
      for (const kind of fetched) expect(await unit.find(kind, 'p')).toHaveLength(kind === 'document' ? 1 : 0);
    });
    expect(find.mock.calls).toHaveLength(fetched.length);
  });

  it.each([
    ['mint', ['ledger-token', 'token', 'ledger-relation']],
    ['write to topics', ['ledger-topic', 'ledger-message', 'document-usage']],
  ] as const)('fetches after another node only what units read one after another that %s', async (_, kinds) => {
    const store = new MemoryStore();
    const [one, other] = [nodeOver(store), nodeOver(store)];
    await one.run(add('a'));
    await other.run(add('b'));
    // Run again, asks first, is alone again.
    for (const id of ['c', 'd', 'e']) await one.run(add(id));
    const find = vi.spyOn(store, 'find');
    const offsets: number[] = [];
    await one.run(async (unit) => {
      for (const kind of kinds) {
        expect(await unit.find(kind, 'p')).toEqual([]);
        offsets.push(find.mock.calls.length);
      }
    });
    expect(offsets).toEqual([3, 3, 3]);
  });

  it('runs a unit again that began with what another node has changed, and asks first from then on', async () => {
    const store = new MemoryStore();
    const [one, other] = [nodeOver(store), nodeOver(store)];
    await one.run(add('a'));
    await other.run(add('b'));
    expect(await one.run(add('c'))).toMatchObject({ result: 2, attempts: 2 });
    await other.run(add('d'));
    expect(await one.run(add('e'))).toMatchObject({ result: 4, attempts: 1 });
    // Alone again.
    expect(await one.run(add('f'))).toMatchObject({ result: 5, attempts: 1 });
    expect(one.caches.presumedRevision(KEY)).toBe(6);
  });

  it('does nothing outside of the store for a state that is gone', async () => {
    const store = new MemoryStore();
    const [one, other] = [nodeOver(store), nodeOver(store)];
    const calls: string[] = [];
    const callOnce = async (unit: UnitOfWork): Promise<void> => {
      const isDone = (await unit.get('document', 'p', 'done')) !== undefined;
      if (!isDone) await unit.once('call', () => Promise.resolve(calls.push('call')));
      await add(isDone ? 'again' : 'done')(unit);
    };
    await one.run(add('a'));
    await other.run(callOnce);
    await one.run(callOnce);
    expect(calls).toEqual(['call']);
    expect(await store.get('document', 'p', 'again')).toBeDefined();
  });

  it('gives no error of a unit that began with what another node has changed', async () => {
    const store = new MemoryStore();
    const [one, other] = [nodeOver(store), nodeOver(store)];
    await one.run(add('a'));
    await other.run(add('b'));
    const refusing = async (unit: UnitOfWork): Promise<never> => {
      throw new Error(`${String(await unit.count('document', 'p'))} documents`);
    };
    await expect(one.run(refusing)).rejects.toThrow('2 documents');
  });

  it('keeps no more than it may, and goes on without', async () => {
    const store = new MemoryStore();
    const caches = new RecordCaches({ keptRecordBytes: 1200 });
    const executor = new Executor({
      store,
      commits: { committed: () => undefined },
      limits: { conflictRetries: 3 },
      caches,
    });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await executor.run(lanes.policy.of('p'), [KEY], add(id));
    expect(caches.presumedRevision(KEY)).toBeUndefined();
    expect((await executor.run(lanes.policy.of('p'), [KEY], add('g'))).result).toBe(6);
  });

  it('knows which receipts it has not written, for as long as nobody else writes', async () => {
    const store = new MemoryStore();
    const [one, other] = [nodeOver(store), nodeOver(store)];
    const write = (id: string) => (unit: UnitOfWork) => {
      unit.put('send-receipt', 'p', { id, request: '', tag: '', expires: 0, revision: 0 });
      return Promise.resolve();
    };
    const lacks = async (id: string, since: number) => {
      const { result } = await one.run((unit) => Promise.resolve(unit.isUnwritten('send-receipt', 'p', id, since)));
      return result;
    };
    await one.run(write('a'));
    await one.run(write('b'));
    expect(await Promise.all([lacks('a', 1), lacks('b', 1), lacks('c', 1), lacks('c', 2)])).toEqual([
      ...[false, false, true, true],
    ]);
    // Not of what was before its time, nor of a time that is yet to come.
    expect(await Promise.all([lacks('c', 0), lacks('c', 3)])).toEqual([true, false]);
    await other.run(write('c'));
    await one.run(write('d'));
    expect(await Promise.all([lacks('c', 2), lacks('e', 2), lacks('c', 3)])).toEqual([false, false, true]);
    expect(await Promise.all([lacks('d', 3), lacks('e', 4)])).toEqual([false, true]);
  });

  it('knows so of itself and of what it has written and nobody has seen', async () => {
    const { run } = nodeOver(new MemoryStore());
    const { result } = await run(async (unit) => {
      await unit.count('document', 'p');
      const before = unit.isUnwritten('send-receipt', 'p', 'a', 0);
      unit.put('send-receipt', 'p', { id: 'a', request: '', tag: '', expires: 0, revision: 0 });
      return [before, unit.isUnwritten('send-receipt', 'p', 'a', 0)];
    });
    expect(result).toEqual([true, false]);
  });

  it('knows of so many receipts and no more', async () => {
    const { run } = nodeOver(new MemoryStore());
    const write = (from: number, to: number) => (unit: UnitOfWork) => {
      for (let at = from; at < to; at += 1) {
        unit.put('send-receipt', 'p', { id: String(at), request: '', tag: '', expires: 0, revision: 0 });
      }
      return Promise.resolve();
    };
    await run(write(0, 1));
    await run(write(1, 2_001));
    const { result } = await run((unit) =>
      Promise.resolve([0, 1].map((since) => unit.isUnwritten('send-receipt', 'p', 'x', since))),
    );
    expect(result).toEqual([false, true]);
  });
});
