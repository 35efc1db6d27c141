import { INSTANCE, type RemoteRequest } from '@blockwork/core/records';
import { describe, expect, it } from 'vitest';
import { simulatedWorld } from '../../test/background.js';
import { requestRow } from '../../test/request-row.js';
import { BlockworkError } from '../errors.js';
import type { InquiryMessage } from '../records/index.js';
import { Inspections } from '../telemetry/index.js';
import { Executor } from '../transactions/index.js';
import { Inbox, type InboxDeps, type Incoming } from './inbox.js';
import { RequestCloser } from './outgoing-requests.js';

const ID = '1767225600.000000009';
const HOUR = 3_600_000;
const owner = 'did:south:owner';

/** The inbox of an instance that hosts the policy `votes`. What it sends is in `sent`. */
function world(more: Partial<InboxDeps> = {}) {
  const { store, clock, logger: _, ...around } = simulatedWorld();
  const sent: unknown[] = [];
  const admitted: string[] = [];
  const messages = {
    putClosing: (_unit: unknown, { status, closed }: RemoteRequest, again?: string) =>
      void sent.push([status, closed, ...(again === undefined ? [] : [again])]),
    putUnknown: (_unit: unknown, { startMessageId }: InquiryMessage) => void sent.push(['unknown', startMessageId]),
  };
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const decider = ({ policyId }: { policyId: string }): Promise<string> =>
    policyId === 'votes'
      ? Promise.resolve(owner)
      : Promise.reject(new BlockworkError('POLICY_UNKNOWN', { facts: { policyId } }));
  const closer = new RequestCloser({ executor, clock, inspections: new Inspections({}), messages: messages as never });
  const inbox = new Inbox({
    ...{ executor, clock, closer, messages, requestMs: 24 * HOUR },
    actions: { decider } as never,
    quota: { admit: (row: RemoteRequest) => Promise.resolve(void admitted.push(row.id)) } as never,
    autoApproval: { onArrival: () => Promise.reject(new Error('No rule is asked.')) } as never,
    ...more,
  });
  const at = (hours: number): string => new Date(clock.now() + hours * HOUR).toISOString();
  const opening = (changes: Partial<Incoming> = {}): Incoming => ({
    type: 'request',
    from: { instance: 'north', did: 'did:north:ana' },
    to: 'south',
    policyId: 'votes',
    startMessageId: '1767225600.000000001',
    messageId: ID,
    action: { type: 'send-data', tag: 'ballot', user: { did: 'did:north:ana' }, data: { vote: 'yes' } },
    expiresAt: at(1),
    ...changes,
  });
  const rows = () => store.find('request', INSTANCE);
  return { ...around, store, inbox, opening, rows, sent, admitted, at };
}

const refused = (detail: string, instance = 'north'): unknown => expect.objectContaining({ detail, instance });

describe('a request', () => {
  it('is kept once, with who decides about it, however often it comes', async () => {
    const { inbox, opening, rows, admitted } = world();
    const { request, isNew } = await inbox.take(opening());
    expect([request.messageId, request.concerns, request.status, isNew]).toEqual([ID, owner, 'NEW', true]);
    const again = await inbox.take(opening({ messageId: '1767225600.000000077' }));
    expect(again).toEqual({ request, isNew: false });
    expect([await rows(), admitted]).toEqual([[request], [ID]]);
  });

  it.each<[string, Partial<Incoming>]>([
    ['is about another policy', { policyId: 'elsewhere' }],
    ['is of another user', { from: { instance: 'north', did: 'did:north:bea' } }],
    ['is for another recipient', { recipient: 'did:south:bea' }],
    ['asks for something else', { action: { type: 'send-data', tag: 'x', user: { did: 'did:north:ana' }, data: 1 } }],
  ])('is refused where one of its conversation is there that %s', async (_, other) => {
    const { inbox, opening, rows } = world();
    const { request } = await inbox.take(opening());
    await expect(inbox.take(opening(other))).rejects.toEqual(refused('a different message began this conversation'));
    expect(await rows()).toEqual([request]);
  });

  it('takes the next id that is free, where its own is taken', async () => {
    const { inbox, opening, store, admitted } = world();
    const changes = [ID, '1767225600.000000010'].map(
      (id) => ({ op: 'put', kind: 'request', partition: INSTANCE, value: requestRow({ id }) }) as const,
    );
    await store.commit({ expect: {}, changes });
    const conversation = { startMessageId: '1767225600.000000500' };
    const { request } = await inbox.take(opening(conversation));
    expect([request.id, request.messageId]).toEqual(['1767225600.000000011', '1767225600.000000011']);
    expect(await store.get('request', INSTANCE, ID)).toEqual(requestRow({ id: ID }));
    expect(admitted).toEqual(['1767225600.000000011']);
  });

  it('stays open until it says, and not for longer than it may', async () => {
    const { inbox, opening, at } = world();
    const expiryOf = async (hours: number, startMessageId: string, messageId: string): Promise<string> =>
      (await inbox.take(opening({ expiresAt: at(hours), startMessageId, messageId }))).request.expiresAt;
    expect(await expiryOf(23, '1.1', '1.000000001')).toBe(at(23));
    expect(await expiryOf(25, '1.2', '1.000000002')).toBe(at(24));
  });

  it('that came too late is closed, and its side told', async () => {
    const { inbox, opening, at, sent } = world();
    const { request } = await inbox.take(opening({ expiresAt: at(-1) }));
    expect(request).toMatchObject({ status: 'EXPIRED', closed: { by: 'south', at: at(0) } });
    expect(sent).toEqual([['EXPIRED', request.closed]]);
  });

  it('about a policy that is not here is closed with that error, and its side told', async () => {
    const { inbox, opening, sent } = world();
    const { request } = await inbox.take(opening({ policyId: 'elsewhere' }));
    const error = { code: 'POLICY_UNKNOWN', message: 'There is no policy "elsewhere".' };
    expect(request).toMatchObject({ status: 'ERROR', concerns: null, closed: { by: 'south', error } });
    expect(sent).toEqual([['ERROR', request.closed]]);
  });

  it('is not taken where it cannot be known who decides', async () => {
    const fault = new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the test says so' } });
    const { inbox, opening, rows } = world({ actions: { decider: () => Promise.reject(fault) } as never });
    await expect(inbox.take(opening())).rejects.toBe(fault);
    expect(await rows()).toEqual([]);
  });

  it('that speaks for the owner of the policy is refused', async () => {
    const { inbox, opening, rows } = world();
    const action = { type: 'send-data', tag: 'ballot', user: { did: owner }, data: 1 } as const;
    const taking = inbox.take(opening({ action }));
    await expect(taking).rejects.toEqual(refused('it speaks for the owner of the policy'));
    expect(await rows()).toEqual([]);
  });

  it('carries the trace that it came with, if that is one', async () => {
    const { inbox, opening } = world();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect((await inbox.take(opening({ traceparent }))).request.traceparent).toBe(traceparent);
    const odd = { startMessageId: '1.3', messageId: '1.000000003', traceparent: 'nonsense' };
    expect((await inbox.take(opening(odd))).request).not.toHaveProperty('traceparent');
  });
});

describe('a cancellation', () => {
  it('closes the request, in the name of the instance that asked', async () => {
    const { inbox, opening, rows } = world();
    await inbox.take(opening());
    const { request, isNew } = await inbox.take(opening({ type: 'cancel' }));
    expect([request.status, request.closed?.by, isNew]).toEqual(['CANCELED', 'north', false]);
    expect(await rows()).toEqual([request]);
  });

  it('is kept where it comes first', async () => {
    const { inbox, opening, sent } = world();
    const { request, isNew } = await inbox.take(opening({ type: 'cancel' }));
    expect([request.status, request.closed?.by, isNew]).toEqual(['CANCELED', 'north', true]);
    expect(sent).toEqual([['CANCELED', request.closed]]);
    expect(await inbox.take(opening())).toEqual({ request, isNew: false });
  });

  it('comes too late for a request that was decided', async () => {
    const { inbox, opening, store, rows } = world();
    const { request } = await inbox.take(opening());
    const value = { ...request, status: 'COMPLETED' } as const;
    await store.commit({ expect: {}, changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value }] });
    expect(await inbox.take(opening({ type: 'cancel' }))).toEqual({ request: value, isNew: false });
    expect(await rows()).toEqual([value]);
  });

  it('gives way to a decision at the same moment, and to nothing else', async () => {
    const failing = (error: Error) => ({ put: (_: unknown, row: unknown) => row, close: () => Promise.reject(error) });
    const facts = { messageId: ID, status: 'COMPLETED' };
    const late = world({ closer: failing(new BlockworkError('REQUEST_CLOSED', { facts })) as never });
    const { request } = await late.inbox.take(late.opening());
    expect(await late.inbox.take(late.opening({ type: 'cancel' }))).toEqual({ request, isNew: false });
    const fault = new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'the test says so' } });
    const broken = world({ closer: failing(fault) as never });
    await broken.inbox.take(broken.opening());
    await expect(broken.inbox.take(broken.opening({ type: 'cancel' }))).rejects.toBe(fault);
  });
});

describe('an inquiry', () => {
  const inquiry = (changes: Partial<InquiryMessage> = {}): InquiryMessage => ({
    type: 'inquiry',
    from: { instance: 'north', did: 'did:north:ana' },
    to: 'south',
    policyId: 'votes',
    startMessageId: '1767225600.000000001',
    sentAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  });

  it('is answered with how the request ended, again, or that it is unknown', async () => {
    const { inbox, opening, sent } = world();
    await inbox.resendAnswer(inquiry());
    await inbox.take(opening({ type: 'cancel' }));
    await inbox.resendAnswer(inquiry());
    await inbox.resendAnswer(inquiry({ from: { instance: 'west', did: 'did:west:x' } }));
    const closing = ['CANCELED', expect.objectContaining({ by: 'north' })];
    expect(sent).toEqual([
      ['unknown', '1767225600.000000001'],
      closing,
      [...closing, '2026-01-01T00:00:00.000Z'],
      ['unknown', '1767225600.000000001'],
    ]);
  });

  it('about the request of another policy is refused', async () => {
    const { inbox, opening, sent } = world();
    await inbox.take(opening());
    const asking = inbox.resendAnswer(inquiry({ policyId: 'other' }));
    await expect(asking).rejects.toEqual(refused('the request is about another policy'));
    expect(sent).toEqual([]);
  });
});
