/** Comparing a policy with many transactions: read in pages, with what is held as small facts, and the same is found. */
import type { LedgerComparison, MemoryStore, PolicyStore } from '@blockwork/core';
import { afterEach, describe, expect, it } from 'vitest';
import { Book } from '../src/comparison/book.js';
import { compareMessages } from '../src/comparison/compare-messages.js';
import { Findings } from '../src/comparison/findings.js';
import { SerialMap } from '../src/comparison/serial-map.js';
import { readSettled } from '../src/comparison/settled.js';
import { OPERATOR } from './support/bench.js';
import { closeAll, world } from './support/compared-policy.js';

afterEach(closeAll);

/** The topic with the most messages. */
function busiest<T extends { readonly messages: readonly unknown[] }>(topics: Iterable<T>): T {
  const [first] = [...topics].sort((a, b) => b.messages.length - a.messages.length);
  if (first === undefined) throw new Error('Nothing was sent.');
  return first;
}

/** The store, with the most records of a kind that were asked for at once. */
function counting(store: MemoryStore): { readonly counted: PolicyStore; readonly most: Map<string, number> } {
  const most = new Map<string, number>();
  const counted = new Proxy(store, {
    get: (target, name) => {
      if (name !== 'find') {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      return async (...[kind, partition, query]: Parameters<PolicyStore['find']>) => {
        const records = await target.find(kind, partition, query);
        most.set(kind, Math.max(most.get(kind) ?? 0, records.length));
        return records;
      };
    },
  });
  return { counted, most };
}

describe('a policy with many transactions', () => {
  const MESSAGES = 260;
  const SERIALS = 230;

  async function large() {
    const all = await world();
    await all.work({ messages: MESSAGES, serials: SERIALS });
    const { counted, most } = counting(all.store);
    const operation = all.open(undefined, { store: counted }).operation;
    const compare = (): Promise<LedgerComparison> => {
      all.clock.advance('1m');
      return operation.compare(all.policyId);
    };
    return { ...all, most, compare };
  }

  it('is compared in pages, and every difference is found in any of them', async () => {
    const { store, policyId, ledger, network, most, compare } = await large();
    const sizes: number[] = [];
    const answer = network.mirror.bind(network);
    network.mirror = (path) => {
      const reply = answer(path);
      const { messages, nfts } = JSON.parse(reply.body) as { messages?: unknown[]; nfts?: unknown[] };
      sizes.push((messages ?? nfts ?? []).length);
      return reply;
    };
    const { differences, notes, compared } = await compare();
    expect({ differences, notes }).toEqual({ differences: [], notes: [] });
    expect(await store.count('ledger-row', policyId)).toBeGreaterThan(2 * (MESSAGES + SERIALS / 10));
    const sent = [...ledger.topics.values()].flatMap(({ messages }) => messages);
    expect(sent.length).toBeGreaterThan(MESSAGES);
    expect(compared).toMatchObject({ messages: sent.length, serials: SERIALS + 12 });
    expect(Math.max(...most.values(), ...sizes)).toBe(100);
    expect([...most.keys()].sort()).toEqual([
      'ledger-effect',
      'ledger-lot',
      'ledger-message',
      'ledger-relation',
      'ledger-row',
      'ledger-token',
      'ledger-topic',
      'policy',
    ]);
    const topic = busiest(ledger.topics.values());
    const deed = [...ledger.tokens.values()].find(({ isFungible }) => !isFungible);
    if (deed === undefined) throw new Error('Nothing was sent.');
    const bent = [5, 150, 255];
    topic.messages = topic.messages.map((each, at) => (bent.includes(at) ? { ...each, text: `${each.text} ` } : each));
    const [gone] = topic.messages.splice(200, 1);
    for (const serial of [7, 133, 240]) deed.owners.set(serial, '0.0.4711');
    deed.owners.delete(99);
    deed.metadata.push('elsewhere');
    deed.owners.set(deed.metadata.length, OPERATOR);
    const found = (await compare()).differences;
    const of = (kind: string) => found.filter((each) => each.kind === kind);
    expect(of('message-changed').map(({ book, ledger: changed }) => `${book} ` === changed)).toEqual([
      true,
      true,
      true,
    ]);
    expect(of('message-missing')).toMatchObject([
      { subject: expect.stringContaining(gone?.consensusAt ?? '') as unknown, book: gone?.text },
    ]);
    const serials = of('serial').map(({ subject }) => Number(/serial (\d+)$/.exec(subject)?.[1]));
    expect(serials).toEqual([7, 99, 133, 240, 243]);
    expect(of('serial').map(({ ledger: owner }) => owner)).toEqual([
      '0.0.4711',
      'nobody',
      '0.0.4711',
      '0.0.4711',
      OPERATOR,
    ]);
  });

  it('messages beyond the most that are compared are left out, and said to be', async () => {
    const { store, policyId, clock, ledger } = await large();
    clock.advance('1m');
    const upTo = `${String(clock.now() / 1000)}.000000000`;
    const book = await Book.open(store, policyId);
    const settled = await readSettled(book, upTo, { messages: 150, runs: 0 });
    expect(settled.isCut).toBe(true);
    expect(settled.serials).toBeNull();
    const held = [...settled.messages.values()].reduce((sum, { length }) => sum + length, 0);
    expect(held).toBe(150);
    const all = [...ledger.topics].flatMap(([topicId, { messages }]) =>
      messages.map(({ text, consensusAt, payer }, at) => ({
        ...{ topicId, consensusAt, payer, sequenceNumber: at + 1 },
        content: Buffer.from(text),
      })),
    );
    const history = {
      messages: async function* (id: string) {
        yield* await Promise.resolve(all.filter(({ topicId }) => topicId === id));
      },
      message: (at: string) => Promise.resolve(all.find(({ consensusAt }) => consensusAt === at)),
    };
    const findings = new Findings();
    await compareMessages(book, { history, operatorAccount: OPERATOR, settled }, findings);
    expect(findings.collected).toMatchObject({
      differences: [],
      notes: [expect.stringMatching(/^Messages after [\d.]+ are not compared/)],
      compared: { messages: 150 },
    });
  });

  it('of differences and notes without end, a part is listed and the rest is counted', () => {
    const findings = new Findings();
    const ofToken = new Findings();
    const difference = { kind: 'serial', subject: '', book: '', ledger: '', remedy: '' } as const;
    for (let n = 0; n < 700; n += 1) {
      findings.differ(difference);
      ofToken.differ(difference);
      findings.note('one');
    }
    findings.add(ofToken);
    const { differences, notes } = findings.collected;
    expect(differences).toHaveLength(1000);
    expect(notes.slice(200)).toEqual(['400 more differences are not listed.', '500 more notes are not listed.']);
  });
});

it('effects that are settled while those that wait are counted are counted or gone, and none is overlooked', async () => {
  const { store, policyId } = await world();
  const put = (n: number) => {
    const id = `${policyId}/waiting/${String(n).padStart(3, '0')}`;
    const effect = { id, policyId, at: '', type: 'mint', tokenId: `token-${String(n)}` } as const;
    return [
      { op: 'put', kind: 'ledger-effect', partition: policyId, value: effect },
      { op: 'put', kind: 'settlement', partition: 'instance', value: { id, policyId, at: '' } },
    ] as const;
  };
  await store.commit({ expect: {}, changes: Array.from({ length: 70 }, (_, n) => put(n)).flat() });
  const settling = new Proxy(store, {
    get: (target, name) => {
      if (name !== 'find') return (Reflect.get(target, name) as () => unknown).bind(target);
      return async (...[kind, partition, query]: Parameters<PolicyStore['find']>) => {
        const found = await target.find(kind, partition, query);
        if (kind !== 'settlement') return found;
        const [first] = await target.find('settlement', 'instance', { limit: 1 });
        const id = first?.id ?? '';
        await target.commit({ expect: {}, changes: [{ op: 'delete', kind: 'settlement', partition: 'instance', id }] });
        return found;
      };
    },
  });
  const { waiting } = await Book.open(settling, policyId);
  for (let n = 4; n < 70; n += 1) expect(waiting.tokens).toContain(`token-${String(n)}`);
  expect(waiting.count).toBe(waiting.tokens.size);
});

describe('serials of the book and of the ledger', () => {
  const all = (map: SerialMap, first: number, last: number) => [...map.translate(first, last)];

  it('are held as runs, however many there are', () => {
    const map = new SerialMap();
    for (let n = 1; n <= 1000; n += 1) map.add(n, n + (n > 500 ? 7 : 0));
    expect(map.size).toBe(2);
    expect(all(map, 499, 502)).toEqual([
      { local: 499, ledger: 499, length: 2 },
      { local: 501, ledger: 508, length: 2 },
    ]);
  });

  it('may be missing, or be told in another order', () => {
    const map = new SerialMap();
    for (const n of [20, 21, 5, 6]) map.add(n, n + 100);
    expect(all(map, 1, 25)).toEqual([
      { local: 1, ledger: null, length: 4 },
      { local: 5, ledger: 105, length: 2 },
      { local: 7, ledger: null, length: 13 },
      { local: 20, ledger: 120, length: 2 },
      { local: 22, ledger: null, length: 4 },
    ]);
    expect(all(new SerialMap(), 3, 3)).toEqual([{ local: 3, ledger: null, length: 1 }]);
  });
});
