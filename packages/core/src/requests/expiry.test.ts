import { BlockworkError } from '../errors.js';
import { INSTANCE, type RemoteRequest, type RequestStatus } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { simulatedWorld, turn } from '../../test/background.js';
import { requestRow } from '../../test/request-row.js';
import { Expiry } from './expiry.js';

const ANSWER_MS = 10_000;

/** Expiry over a store, with what it closes noted; the closers only write the row. */
function world() {
  const around = simulatedWorld();
  const { store, clock } = around;
  const closed: string[] = [];
  const put = async (...rows: RemoteRequest[]): Promise<void> => {
    const changes = rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
    await store.commit({ expect: {}, changes });
    expiry.committed({ expect: {}, changes });
  };
  let decidedElsewhere: string | null = null;
  let busy: { readonly policyId: string; readonly until: Promise<void> } | null = null;
  const close = async (row: RemoteRequest, status: RequestStatus, how = status as string): Promise<RemoteRequest> => {
    if (row.policyId === busy?.policyId) await busy.until;
    closed.push(`${row.direction} ${row.id} ${how}`);
    await put({ ...row, status: row.id === decidedElsewhere ? 'COMPLETED' : status });
    if (row.id !== decidedElsewhere) return row;
    throw new BlockworkError('REQUEST_CLOSED', { facts: { messageId: row.id, status: 'COMPLETED' } });
  };
  const expiry = new Expiry({
    ...around,
    closer: { close: (row, status) => close(row, status) },
    outgoing: { giveUp: (row) => close(row, 'EXPIRED', 'given up').then(() => undefined) },
    limits: { answerMs: ANSWER_MS },
  });
  const row = (id: string, ms: number, more: Partial<RemoteRequest> = {}): RemoteRequest =>
    requestRow({ id, expiresAt: new Date(clock.now() + ms).toISOString(), ...more });
  return {
    ...around,
    expiry,
    closed,
    put,
    row,
    decide: (id: string) => (decidedElsewhere = id),
    occupy: (state: typeof busy) => void (busy = state),
  };
}

describe('the expiry of requests', () => {
  it('closes each open request when its time is up, and no other', async () => {
    const { expiry, closed, put, row, toNextWakeUp } = world();
    expiry.start();
    await expiry.idle();
    await put(row('b', 3000), row('a', 2000), row('decided', 1000, { status: 'COMPLETED' }));
    expect([await toNextWakeUp(expiry), closed]).toEqual([2000, ['incoming a EXPIRED']]);
    expect([await toNextWakeUp(expiry), closed]).toEqual([1000, ['incoming a EXPIRED', 'incoming b EXPIRED']]);
  });

  it('closes at the start what expired while nothing was running', async () => {
    const { expiry, closed, put, row, clock, timers } = world();
    await put(...Array.from({ length: 250 }, (_, at) => row(`r${String(at)}`, 1000)));
    clock.advance(5000);
    expiry.start();
    await expiry.idle();
    expect([closed.length, timers.pending]).toEqual([250, [clock.now() + 60_000]]);
  });

  it('waits for the answer to an outgoing request some time longer', async () => {
    const { expiry, closed, put, row, toNextWakeUp } = world();
    expiry.start();
    await expiry.idle();
    await put(row('asked', 2000, { direction: 'outgoing' }));
    expect([await toNextWakeUp(expiry), closed]).toEqual([2000 + ANSWER_MS, ['outgoing asked given up']]);
  });

  it('closes the requests of one policy while another is busy', async () => {
    const { expiry, closed, put, row, clock, occupy } = world();
    let free = (): void => undefined;
    occupy({ policyId: 'busy', until: new Promise((resolve) => (free = resolve)) });
    await put(row('a', 1000, { policyId: 'busy' }), row('b', 1000, { policyId: 'free' }));
    clock.advance(1000);
    expiry.start();
    while (closed.length === 0) await turn();
    expect(closed).toEqual(['incoming b EXPIRED']);
    free();
    await expiry.idle();
    expect(closed).toEqual(['incoming b EXPIRED', 'incoming a EXPIRED']);
  });

  it('closes what expires while another policy hangs', async () => {
    const { expiry, closed, put, row, timers, occupy } = world();
    let free = (): void => undefined;
    occupy({ policyId: 'busy', until: new Promise((resolve) => (free = resolve)) });
    await put(row('a', 0, { policyId: 'busy' }));
    expiry.start();
    await turn();
    await put(row('b', 1000, { policyId: 'free' }), row('c', 1000, { policyId: 'busy' }));
    timers.advance(1000);
    while (closed.length === 0) await turn();
    expect(closed).toEqual(['incoming b EXPIRED']);
    free();
    await expiry.idle();
    expect(closed).toEqual(['incoming b EXPIRED', 'incoming a EXPIRED', 'incoming c EXPIRED']);
  });

  it('takes a decision at the last moment for what it is', async () => {
    const { expiry, closed, put, row, decide, toNextWakeUp } = world();
    expiry.start();
    await expiry.idle();
    await put(row('a', 1000), row('b', 1000));
    decide('a');
    expect([await toNextWakeUp(expiry), closed]).toEqual([1000, ['incoming a EXPIRED', 'incoming b EXPIRED']]);
    expect(await toNextWakeUp(expiry)).toBe(60_000);
  });

  it('looks again every minute, for requests that other processes add', async () => {
    const { expiry, timers, clock, toNextWakeUp } = world();
    expiry.start();
    await expiry.idle();
    await toNextWakeUp(expiry);
    expect(timers.pending).toEqual([clock.now() + 60_000]);
  });

  it('retries with exponential backoff while the store fails, and catches up after that', async () => {
    const { expiry, closed, put, row, store, toNextWakeUp } = world();
    await put(row('a', 2500));
    store.isDown = true;
    expiry.start();
    await expiry.idle();
    expect([await toNextWakeUp(expiry), await toNextWakeUp(expiry)]).toEqual([1000, 2000]);
    store.isDown = false;
    expect([await toNextWakeUp(expiry), closed]).toEqual([4000, ['incoming a EXPIRED']]);
  });

  it('closes nothing more once it is stopped, not even the rest of a run', async () => {
    const { expiry, closed, put, row, clock } = world();
    await put(row('a', 1000), row('b', 1000));
    clock.advance(1000);
    expiry.start();
    while (closed.length === 0) await Promise.resolve();
    await expiry.stop();
    expect(closed).toEqual(['incoming a EXPIRED']);
  });

  it('does not begin again once it is stopped', async () => {
    const { expiry, closed, put, row, timers } = world();
    expiry.start();
    await expiry.stop();
    await put(row('a', 10));
    timers.advance(120_000);
    await expiry.idle();
    expect([closed, timers.pending]).toEqual([[], []]);
  });

  it('closes the other requests where one cannot be closed, and tries that one again', async () => {
    const { store, clock, timers, logger, row, toNextWakeUp } = world();
    const save = (value: RemoteRequest): Promise<void> =>
      store.commit({ expect: {}, changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value }] });
    const closed: string[] = [];
    let isBroken = true;
    const close = async (request: RemoteRequest): Promise<RemoteRequest> => {
      if (request.id === 'broken' && isBroken) throw new TypeError('this row is damaged');
      closed.push(request.id);
      await save({ ...request, status: 'EXPIRED' });
      return request;
    };
    const outgoing = { giveUp: () => Promise.resolve() };
    const expiry = new Expiry({ store, clock, timers, logger, closer: { close }, outgoing, limits: { answerMs: 1 } });
    for (const id of ['broken', 'next']) await save(row(id, 0));
    expiry.start();
    await expiry.idle();
    expect(closed).toEqual(['next']);
    isBroken = false;
    expect([await toNextWakeUp(expiry), closed]).toEqual([1000, ['next', 'broken']]);
    await expiry.stop();
  });
});
