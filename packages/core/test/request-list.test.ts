import { createEngine, MemoryStore } from '@blockwork/core';
import { INSTANCE, requestStatus, requestType } from '@blockwork/core/records';
import type { Caller, RemoteRequest, RequestFilter } from '@blockwork/core';
import { SimulatedClock } from '@blockwork/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const me: Caller = { did: 'did:example:me', role: 'STANDARD_REGISTRY' };
const clock = new SimulatedClock();

const rows = fc.array(
  fc.record({
    status: fc.constantFrom(...requestStatus.options),
    type: fc.constantFrom(...requestType.options),
    direction: fc.constantFrom('incoming' as const, 'outgoing' as const),
    policyId: fc.constantFrom('p1', 'p2', 'P1'),
    concerns: fc.constantFrom(null, me.did, 'did:example:other'),
    secondsAgo: fc.integer({ min: 0, max: 120 }),
  }),
  { maxLength: 40 },
);
const filters = fc.record(
  {
    status: fc.constantFrom(...requestStatus.options),
    type: fc.constantFrom(...requestType.options),
    direction: fc.constantFrom('incoming' as const, 'outgoing' as const),
    policyId: fc.constantFrom('p1', 'p2', 'p3'),
  },
  { requiredKeys: [] },
);

type Row = typeof rows extends fc.Arbitrary<(infer One)[]> ? One : never;

const stored = ({ secondsAgo, ...row }: Row, at: number): RemoteRequest => {
  const moment = new Date(clock.now() - secondsAgo * 1000).toISOString();
  const messageId = `1.${String(at).padStart(9, '0')}`;
  return {
    ...row,
    id: messageId,
    messageId,
    startMessageId: messageId,
    sender: { instance: 'far', did: 'did:far' },
    to: 'here',
    recipient: null,
    action: { type: 'send-data', tag: 't', user: { did: 'did:far' }, data: null },
    receivedAt: moment,
    expiresAt: '2027-01-01T00:00:00.000Z',
    history: [],
    ...(row.status !== 'NEW' && { closed: { by: 'did:x', at: moment } }),
  };
};

describe('listing, counting and paging', () => {
  it('agree with each other, for every filter and every page', async () => {
    await fc.assert(
      fc.asyncProperty(rows, filters, fc.integer({ min: 1, max: 7 }), async (rows, filter: RequestFilter, limit) => {
        const store = new MemoryStore();
        const all = rows.map(stored);
        const changes = all.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
        await store.commit({ expect: {}, changes });
        const { requests } = createEngine({ store, clock });
        const expected = all.filter(
          (row) =>
            row.concerns !== 'did:example:other' &&
            Object.entries(filter).every(([name, value]) => row[name as keyof RequestFilter] === value),
        );
        const pages: RemoteRequest[] = [];
        for (let offset = 0; offset <= expected.length; offset += limit) {
          const page = await requests.list(me, { ...filter, offset, limit });
          expect(page.total).toBe(expected.length);
          pages.push(...page.items);
        }
        expect(pages).toEqual(expected);
        expect(await requests.list(me, filter)).toEqual({ items: expected, total: expected.length });
        const counts = await requests.count(me, filter);
        const having = (test: (row: RemoteRequest) => boolean): number => expected.filter(test).length;
        expect(counts).toEqual({
          total: expected.length,
          requestsCount: having(({ status, direction }) => status === 'NEW' && direction === 'incoming'),
          actionsCount: having(({ status, direction }) => status === 'NEW' && direction === 'outgoing'),
          delayCount: having(
            ({ status, closed }) => status === 'COMPLETED' && Date.parse(closed?.at ?? '') >= clock.now() - 60_000,
          ),
          statuses: Object.fromEntries(
            requestStatus.options.map((status) => [status, having((row) => row.status === status)]),
          ),
        });
      }),
      { numRuns: 150 },
    );
  });

  it('show a row that is somebody else’s as one that does not exist', async () => {
    const store = new MemoryStore();
    const theirs = stored(
      {
        status: 'NEW',
        type: 'sign',
        direction: 'incoming',
        policyId: 'p1',
        concerns: 'did:example:other',
        secondsAgo: 0,
      },
      1,
    );
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value: theirs }] });
    const engine = createEngine({ store, clock });
    const expectUnknown = async (act: (messageId: string) => Promise<unknown>): Promise<void> => {
      const [foreign, none] = await Promise.all(
        [theirs.messageId, '9.9'].map(async (id) => {
          const error = (await act(id).catch((reason: unknown) => reason)) as { code: string; message: string };
          return [error.code, error.message.replace(id, '')];
        }),
      );
      expect(foreign).toEqual(none);
      expect(foreign?.[0]).toBe('REQUEST_UNKNOWN');
    };
    const { requests } = engine;
    await expectUnknown((id) => requests.get(me, id));
    await expectUnknown((id) => requests.reject(me, id));
    await expectUnknown((id) => requests.cancel(me, id));
    await expectUnknown((id) => requests.approveAsOffered(me, id));
    await expectUnknown((id) => requests.waitForAnswer(me, id, 0));
  });
});
