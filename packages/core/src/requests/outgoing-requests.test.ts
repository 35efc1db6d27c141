/** Requests to other instances: what is written when they are asked, inquired after, answered and given up. */
import { SimulatedClock } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { requestRow } from '../../test/request-row.js';
import { MemoryStore } from '../memory/index.js';
import { INSTANCE, type RemoteRequest } from '../records/index.js';
import { Inspections, type Inspection } from '../telemetry/index.js';
import { Executor, lanes, revisionKeys } from '../transactions/index.js';
import { Envelopes } from './messaging/envelopes.js';
import { instanceIdentity, newInstanceKey } from './messaging/instance-identity.js';
import { KnownPeers } from './messaging/known-peers.js';
import { OutgoingMessages } from './messaging/outgoing-messages.js';
import { jwsSignatures } from './messaging/signatures.js';
import { OutgoingRequests, type OutgoingRequestsDeps } from './outgoing-requests.js';

const identity = instanceIdentity({ id: 'south', key: newInstanceKey().privateKey });
const peers = {
  known: () => Promise.resolve(new KnownPeers(new Map([['north', { key: {} as never, identities: [] }]]))),
};
const envelopes = new Envelopes(identity, { signatures: jwsSignatures, peers, messageCharacters: 100_000 });
const bo = { did: 'did:south:bo' } as never;
const REQUEST_MS = 3_600_000;

function world() {
  const store = new MemoryStore();
  const clock = new SimulatedClock();
  const inspected: Inspection[] = [];
  const outgoing = new OutgoingRequests({
    ...{ store, clock, peers, requestMs: REQUEST_MS },
    executor: new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } }),
    ids: { uuid: () => '00000000-0000-0000-0000-00000000002a' },
    inspections: new Inspections({ inspector: (inspection) => void inspected.push(inspection) }),
    messages: new OutgoingMessages(clock, { identity, envelopes }),
    resumption: {
      lane: ({ id }: RemoteRequest) => ({ lane: lanes.request.of(id), keys: [revisionKeys.request.of(id)] }),
      checked: (_request: unknown, closing: unknown) => Promise.resolve(closing),
      guarded: (close: () => unknown) => close(),
      resume: () => Promise.resolve(undefined),
    },
  } as unknown as OutgoingRequestsDeps);
  const put = (more: Partial<RemoteRequest> = {}) => {
    const sender = { instance: 'south', did: 'did:south:bo' };
    const value = requestRow({ id: '1.5', direction: 'outgoing', sender, to: 'north', ...more });
    return store.commit({ expect: {}, changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value }] });
  };
  const row = (id = '1.5') => store.get('request', INSTANCE, id);
  const sent = async () => (await store.find('outbox', INSTANCE)).map(({ id }) => id);
  const now = () => new Date(clock.now()).toISOString();
  return { store, clock, outgoing, inspected, put, row, sent, now };
}

const cancelAsked = { by: 'did:south:bo', at: '2026-01-01T00:00:00.000Z' };
const answer = (more: object = {}) =>
  ({
    ...{ type: 'completed', from: { instance: 'north', did: 'did:north:ana' }, to: 'south', policyId: 'votes' },
    ...{ startMessageId: '1.5', sentAt: '2026-01-02T00:00:00.000Z' },
    ...more,
  }) as Parameters<OutgoingRequests['take']>[0];

describe('a request to a peer', () => {
  const action = { type: 'send-data', tag: 'ballot', user: { did: 'did:south:bo' }, data: { vote: 'yes' } } as const;

  it('is open from now until its time is up, at most as long as requests may be', async () => {
    for (const [asked, ms] of [
      [undefined, REQUEST_MS],
      [2 * REQUEST_MS, REQUEST_MS],
      [1_000, 1_000],
    ] as const) {
      const { clock, outgoing, row, sent, now } = world();
      const question = { to: 'north', policyId: 'votes', action, ...(asked !== undefined && { expiresInMs: asked }) };
      const request = await outgoing.ask(bo, question);
      const id = `${String(Math.floor(clock.now() / 1000))}.000000000000000042`;
      expect(request).toMatchObject({
        ...{ id, messageId: id, startMessageId: id, direction: 'outgoing', type: 'send-data', policyId: 'votes' },
        ...{
          sender: { instance: 'south', did: 'did:south:bo' },
          to: 'north',
          recipient: null,
          concerns: 'did:south:bo',
        },
        ...{ action, receivedAt: now(), expiresAt: new Date(clock.now() + ms).toISOString(), status: 'NEW' },
        history: [{ status: 'NEW', at: now(), by: 'did:south:bo' }],
      });
      expect(request).not.toHaveProperty('resume');
      expect(request).not.toHaveProperty('traceparent');
      expect([await row(id), await sent()]).toEqual([request, [`south/request/north/${id}`]]);
    }
  });

  it('carries its recipient, its trace, and the block that waits for its answer', async () => {
    const { outgoing } = world();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const resume = { policyId: 'own', tag: 'next', user: { did: 'did:south:bo' } } as never;
    const more = { recipient: 'did:north:ana', resume, traceparent };
    expect(await outgoing.ask(bo, { to: 'north', policyId: 'votes', action, ...more })).toMatchObject(more);
  });

  it('is refused for somebody who is no peer, and for what is no action', async () => {
    const { outgoing, sent } = world();
    await expect(outgoing.ask(bo, { to: 'west', policyId: 'votes', action })).rejects.toMatchObject({
      code: 'PEER_UNKNOWN',
      facts: { instance: 'west' },
    });
    const unusable = { to: 'north', policyId: 'votes', action: { type: 'send-data' } as never };
    await expect(outgoing.ask(bo, unusable)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('The requested action is invalid') as string,
    });
    expect(await sent()).toEqual([]);
  });

  it('is cancelled by who made it, once, while it is open', async () => {
    const { outgoing, put, row, sent, now } = world();
    await put();
    for (let twice = 0; twice < 2; twice += 1) {
      const request = await outgoing.cancel(bo, '1.5');
      expect(request).toMatchObject({ status: 'NEW', cancelAsked: { by: 'did:south:bo', at: now() } });
      expect(await row()).toEqual(request);
    }
    expect(await sent()).toEqual(['south/cancel/north/1.5']);
    await expect(outgoing.cancel({ did: 'did:south:eve' }, '1.5')).rejects.toMatchObject({
      code: 'REQUEST_UNKNOWN',
    });
    await put({ status: 'CANCELED' });
    expect((await outgoing.cancel(bo, '1.5')).status).toBe('CANCELED');
    await put({ status: 'COMPLETED' });
    await expect(outgoing.cancel(bo, '1.5')).rejects.toMatchObject({ code: 'REQUEST_CLOSED' });
    await put({ direction: 'incoming' });
    await expect(outgoing.cancel(bo, '1.5')).rejects.toMatchObject({ code: 'REQUEST_UNKNOWN' });
  });
});

describe('an open request', () => {
  it('is inquired after, with its cancellation, which may be lost as well', async () => {
    const { outgoing, put, row, sent, inspected, now, clock } = world();
    await put();
    await outgoing.inquire('1.5');
    const isOverdue = Date.parse('2026-01-08T00:00:00.000Z') <= clock.now();
    expect((await row())?.inquiry).toEqual({ at: now(), isOverdue });
    expect(await sent()).toEqual([`south/inquiry/north/1.5/${now()}`]);
    await put({ cancelAsked });
    clock.advance(1);
    await outgoing.inquire('1.5');
    expect((await sent()).slice(1)).toEqual([`south/inquiry/north/1.5/${now()}`, `south/cancel/north/1.5/${now()}`]);
    expect(inspected).toEqual(Array(2).fill({ type: 'request.inquired', messageId: '1.5' }));
  });

  it('is overdue when its time is up', async () => {
    const { outgoing, put, row, clock } = world();
    await put({ expiresAt: new Date(clock.now() + 5).toISOString() });
    await outgoing.inquire('1.5');
    expect((await row())?.inquiry?.isOverdue).toBe(false);
    clock.advance(5);
    await outgoing.inquire('1.5');
    expect((await row())?.inquiry?.isOverdue).toBe(true);
  });

  it.each([{ status: 'COMPLETED' }, { direction: 'incoming' }, { id: 'another' }] as const)(
    'only is inquired after, not %j',
    async (more) => {
      const { outgoing, put, sent, inspected } = world();
      await put(more);
      await outgoing.inquire('1.5');
      expect([await sent(), inspected]).toEqual([[], []]);
    },
  );

  it('that the other side does not know is sent again once, with its cancellation', async () => {
    const at = '2026-01-03T00:00:00.000Z';
    const unknown = (more: object = {}) =>
      ({ ...answer(), type: 'unknown', inquiredAt: at, ...more }) as Parameters<OutgoingRequests['askAgain']>[0];
    const { outgoing, put, row, sent } = world();
    await put({ inquiry: { at, isOverdue: false } });
    for (const more of [
      { from: { instance: 'west', did: 'did:west:x' } },
      { policyId: 'other' },
      { inquiredAt: '2026-01-03T00:00:00.001Z' },
    ])
      await expect(outgoing.askAgain(unknown(more))).rejects.toMatchObject({ reason: 'unexpected' });
    expect(await sent()).toEqual([]);
    await outgoing.askAgain(unknown());
    expect((await row())?.inquiry).toEqual({ at, isOverdue: false, isSentAgain: true });
    expect(await sent()).toEqual([`south/request/north/1.5/${at}`]);
    await expect(outgoing.askAgain(unknown())).rejects.toMatchObject({ reason: 'replayed', instance: 'north' });
    await put({ inquiry: { at, isOverdue: false }, cancelAsked });
    await outgoing.askAgain(unknown());
    expect(await sent()).toEqual([`south/request/north/1.5/${at}`, `south/cancel/north/1.5/${at}/again`]);
    await put();
    await expect(outgoing.askAgain(unknown())).rejects.toMatchObject({ reason: 'unexpected' });
  });

  it('that is never answered expires, and says why', async () => {
    const { outgoing, put, row, inspected, now } = world();
    await put();
    const request = await row();
    if (request !== undefined) await outgoing.giveUp(request);
    expect(await row()).toMatchObject({
      status: 'EXPIRED',
      closed: { by: 'south', at: now(), reason: 'The other side never answered.' },
    });
    expect(inspected).toEqual([{ type: 'request.closed', messageId: '1.5', status: 'EXPIRED' }]);
    // The same again, by another process that has read the row before.
    if (request !== undefined) await outgoing.giveUp(request);
    expect(inspected).toHaveLength(1);
  });
});

describe('an answer', () => {
  it.each([
    ['completed', 'COMPLETED', { result: { counted: 1 } }],
    ['rejected', 'REJECTED', { reason: 'no' }],
    ['failed', 'ERROR', { error: { code: 'INTERNAL', message: 'a bug' } }],
  ])('%s closes its request', async (type, status, outcome) => {
    const { outgoing, put, row, inspected, now } = world();
    await put();
    await outgoing.take(answer({ type, ...outcome }));
    expect((await row())?.closed).toEqual({ by: 'did:north:ana', at: now(), ...outcome });
    expect(await row()).toMatchObject({ status, history: [{ status: 'NEW' }, { status, by: 'did:north:ana' }] });
    expect(inspected).toEqual([{ type: 'request.closed', messageId: '1.5', status }]);
  });

  it('is refused if it answers nothing that this peer was asked, or what is closed', async () => {
    const { outgoing, put, row } = world();
    await expect(outgoing.take(answer())).rejects.toMatchObject({ reason: 'unexpected', instance: 'north' });
    await put();
    for (const more of [{ from: { instance: 'west', did: 'x' } }, { policyId: 'other' }])
      await expect(outgoing.take(answer(more))).rejects.toMatchObject({ reason: 'unexpected' });
    await put({ direction: 'incoming' });
    await expect(outgoing.take(answer())).rejects.toMatchObject({ reason: 'unexpected' });
    await put({ status: 'COMPLETED' });
    await expect(outgoing.take(answer())).rejects.toMatchObject({ reason: 'replayed' });
    await put({ status: 'REJECTED' });
    await expect(outgoing.take(answer())).rejects.toMatchObject({
      reason: 'unexpected',
      detail: 'it says COMPLETED of what is REJECTED',
    });
    expect((await row())?.status).toBe('REJECTED');
  });
});
