import { expect, it } from 'vitest';
import { simulatedWorld } from '../../test/background.js';
import { requestRow } from '../../test/request-row.js';
import { INSTANCE, type RemoteRequest } from '../records/index.js';
import { Inspections, type Inspection } from '../telemetry/index.js';
import { Reconciliation } from './reconciliation.js';

/** Reconciliation over a store in which an inquiry is noted in its row. */
function world() {
  const around = simulatedWorld();
  const { store, clock } = around;
  const warnings: unknown[] = [];
  const inspected: Inspection[] = [];
  const inquired: string[] = [];
  const listeners = new Set<(reason: string) => void>();
  const put = async (...rows: RemoteRequest[]): Promise<void> => {
    const changes = rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
    await store.commit({ expect: {}, changes });
    service.committed({ expect: {}, changes });
  };
  let onInquiry = (): void => undefined;
  const service = new Reconciliation({
    ...around,
    logger: { ...around.logger, warn: (message, fields) => void warnings.push([message, fields]) },
    inspections: new Inspections({ inspector: (inspection) => void inspected.push(inspection) }),
    link: {
      onLoss: (listener: (reason: string) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    outgoing: {
      inquire: async (id: string) => {
        inquired.push(id);
        onInquiry();
        const row = await store.get('request', INSTANCE, id);
        if (row === undefined) return;
        const isOverdue = Date.parse(row.expiresAt) <= clock.now();
        await put({ ...row, inquiry: { at: new Date(clock.now()).toISOString(), isOverdue } });
      },
    },
  });
  const lose = (reason: string): void => {
    for (const listener of listeners) listener(reason);
  };
  const whenInquiring = (act: () => void): void => void (onInquiry = act);
  return { ...around, service, put, lose, inquired, warnings, inspected, whenInquiring };
}

const row = (id: string, expiresInMs: number, now: number, more: Partial<RemoteRequest> = {}): RemoteRequest =>
  requestRow({ id, direction: 'outgoing', expiresAt: new Date(now + expiresInMs).toISOString(), ...more });

it('peers are asked about each open request once after a loss, which is told', async () => {
  const { service, put, lose, clock, inquired, warnings, inspected } = world();
  const now = clock.now();
  service.start();
  await put(row('a', 1e6, now), row('b', 1e6, now), row('in', 1e6, now, { direction: 'incoming' }));
  await put(row('done', 1e6, now, { status: 'COMPLETED' }));
  await service.idle();
  expect(inquired).toEqual([]);
  clock.advance(10);
  lose('the stream was purged');
  await service.idle();
  service.wake();
  await service.idle();
  expect(inquired).toEqual(['a', 'b']);
  expect(warnings).toEqual([[expect.stringContaining('may have lost messages'), { reason: 'the stream was purged' }]]);
  expect(inspected).toEqual([{ type: 'link.lost', reason: 'the stream was purged' }]);
  clock.advance(10);
  lose('again');
  await service.idle();
  expect(inquired).toEqual(['a', 'b', 'a', 'b']);
});

it('the peer is asked once about a request a minute after its end without an answer', async () => {
  const { service, put, clock, timers, inquired, toNextWakeUp } = world();
  service.start();
  await service.idle();
  await put(row('late', 5_000, clock.now()), row('early', 1_000, clock.now()));
  expect(timers.pending).toEqual([clock.now() + 61_000]);
  const asked: [number, string[]][] = [];
  let passed = 0;
  for (let ms = await toNextWakeUp(service); ms !== undefined; ms = await toNextWakeUp(service)) {
    passed += ms;
    const names = inquired.splice(0);
    if (names.length > 0) asked.push([passed, names]);
  }
  expect(asked).toEqual([
    [61_000, ['early']],
    [65_000, ['late']],
  ]);
});

it('only what is open here and was asked of others is waited for', async () => {
  const { service, put, clock, timers } = world();
  service.start();
  await service.idle();
  const now = clock.now();
  await put(row('in', 0, now, { direction: 'incoming' }), row('done', 0, now, { status: 'COMPLETED' }));
  expect(timers.pending).toEqual([]);
});

it('any number of requests is asked about, and a stop ends that', async () => {
  const { service, put, lose, clock, inquired, whenInquiring } = world();
  service.start();
  await put(...Array.from({ length: 250 }, (_, at) => row(`r${String(at)}`, 1e6, clock.now())));
  await service.idle();
  lose('one');
  await service.idle();
  expect(inquired).toHaveLength(250);
  const stopping: Promise<void>[] = [];
  whenInquiring(() => stopping.push(service.stop()));
  clock.advance(10);
  lose('two');
  await service.idle();
  await Promise.all(stopping);
  expect(inquired).toHaveLength(251);
  lose('after the stop');
  await service.idle();
  expect(inquired).toHaveLength(251);
});
