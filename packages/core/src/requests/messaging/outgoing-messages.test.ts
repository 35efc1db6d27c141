import { MemoryStore } from '../../memory/store/memory-store.js';
import { SimulatedClock } from '@blockwork/testing';
import { expect, it } from 'vitest';
import { requestRow } from '../../../test/request-row.js';
import { closingMessage, INSTANCE, type RequestClosing, type RemoteRequest } from '../../records/index.js';
import { UnitOfWork } from '../../transactions/index.js';
import { Envelopes } from './envelopes.js';
import { newInstanceKey, instanceIdentity } from './instance-identity.js';
import { KnownPeers } from './known-peers.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { jwsSignatures } from './signatures.js';

const identity = instanceIdentity({ id: 'south', key: newInstanceKey().privateKey });
const envelopes = new Envelopes(identity, {
  signatures: jwsSignatures,
  peers: { known: () => Promise.resolve(new KnownPeers(new Map())) },
  messageCharacters: 20_000,
});

const closed = (status: RemoteRequest['status'], more: Partial<RequestClosing>): RemoteRequest =>
  requestRow({ status, closed: { by: 'did:south:owner', at: '2026-01-02T00:00:00.000Z', ...more } });

/** The messages that are in the outbox after some were put there. */
async function outbox(put: (messages: OutgoingMessages, unit: UnitOfWork) => void, isInstance = true) {
  const unit = await UnitOfWork.begin(new MemoryStore(), []);
  put(new OutgoingMessages(new SimulatedClock(), isInstance ? { identity, envelopes } : null), unit);
  return unit.find('outbox', INSTANCE);
}

it('an answer tells how the request ended, once for each conversation, and once more for each repetition', async () => {
  const request = closed('REJECTED', { reason: 'no' });
  const sent = await outbox((messages, unit) => {
    messages.putClosing(unit, request);
    messages.putClosing(unit, request);
    messages.putClosing(unit, request, 'again');
  });
  expect(sent.map(({ id }) => id)).toEqual([
    `south/closing/north/${request.startMessageId}`,
    `south/closing/north/${request.startMessageId}/again`,
  ]);
  expect(sent[0]).toMatchObject({
    topic: 'instance/north',
    message: { type: 'rejected', from: { instance: 'south', did: 'did:south:owner' }, to: 'north', reason: 'no' },
  });
});

it('whatever the error or the result, the answer is one that the other side can read', async () => {
  const answers = [
    closed('ERROR', { error: { code: 'INTERNAL', message: 'x'.repeat(10_000) } }),
    closed('COMPLETED', { result: 'x'.repeat(30_000) }),
    closed('COMPLETED', { result: { counted: 'yes' } }),
  ];
  const read = [];
  for (const answer of answers) {
    const [sent] = await outbox((messages, unit) => messages.putClosing(unit, answer));
    read.push(closingMessage.parse(sent?.message));
  }
  expect(read).toMatchObject([
    { type: 'failed', error: { code: 'INTERNAL', message: 'x'.repeat(4_000) } },
    { type: 'completed', reason: 'The result is larger than a message can be.' },
    { type: 'completed', result: { counted: 'yes' } },
  ]);
  expect(read[1]).not.toHaveProperty('result');
});

it('nothing is sent of what is open, nor by what is no instance', async () => {
  expect(await outbox((messages, unit) => messages.putClosing(unit, requestRow({})))).toEqual([]);
  expect(await outbox((messages, unit) => messages.putClosing(unit, closed('REJECTED', {})), false)).toEqual([]);
});

it('an answer says nothing of what there was not', async () => {
  const [sent] = await outbox((messages, unit) => messages.putClosing(unit, closed('REJECTED', {})));
  expect(Object.keys(sent?.message as object).sort()).toEqual(
    ['type', 'from', 'to', 'policyId', 'startMessageId', 'sentAt'].sort(),
  );
});

it('a request is sent with all that it is, for whom it is, and until when', async () => {
  const request = requestRow({
    id: '1.5',
    direction: 'outgoing',
    sender: { instance: 'south', did: 'did:south:bo' },
    to: 'north',
  });
  const sent = await outbox((messages, unit) => {
    messages.putOpening(unit, 'request', request);
    messages.putOpening(unit, 'cancel', { ...request, recipient: 'did:north:ana', traceparent: '00-a-b-01' }, 'again');
  });
  expect(sent.map(({ id, topic }) => [id, topic])).toEqual([
    ['south/request/north/1.5', 'instance/north'],
    ['south/cancel/north/1.5/again', 'instance/north'],
  ]);
  const { action, expiresAt, policyId } = request;
  const message = { from: request.sender, to: 'north', policyId, startMessageId: '1.5', action, expiresAt };
  const sentAt = new SimulatedClock().now();
  expect(sent.map((each) => each.message)).toEqual([
    { type: 'request', ...message, sentAt: new Date(sentAt).toISOString() },
    {
      type: 'cancel',
      ...message,
      sentAt: new Date(sentAt).toISOString(),
      recipient: 'did:north:ana',
      traceparent: '00-a-b-01',
    },
  ]);
});

it('a request that is larger than a message may be is refused here', async () => {
  const data = { text: 'x'.repeat(20_000) };
  const request = requestRow({ action: { type: 'send-data', tag: 't', user: { did: 'did:a' }, data } });
  await expect(outbox((messages, unit) => messages.putOpening(unit, 'request', request))).rejects.toMatchObject({
    code: 'MESSAGE_TOO_LARGE',
    facts: { limit: 20_000 },
  });
});

it('a message carries the trace of its unit, and else that of its cause', async () => {
  const request = { ...closed('REJECTED', {}), traceparent: 'of the request' };
  const traces = [];
  for (const own of [undefined, 'of the unit']) {
    const [sent] = await outbox((messages, unit) => {
      unit.traceparent = own;
      messages.putClosing(unit, request);
    });
    traces.push((sent?.message as { traceparent?: string }).traceparent);
  }
  expect(traces).toEqual(['of the request', 'of the unit']);
});

it('inquiries, their answers and refusals are sent once each, in the name of the instance', async () => {
  const inquiry = {
    ...{ type: 'inquiry' as const, from: { instance: 'north', did: 'did:north:ana' }, to: 'south', policyId: 'votes' },
    ...{ startMessageId: '1.5', sentAt: '2026-01-03T00:00:00.000Z' },
  } as const;
  const asked = requestRow({
    id: '1.6',
    direction: 'outgoing',
    sender: { instance: 'south', did: 'did:south:bo' },
    to: 'north',
  });
  const error = { code: 'REQUEST_REFUSED', message: 'no' };
  const put = (messages: OutgoingMessages, unit: UnitOfWork): void => {
    messages.putUnknown(unit, inquiry);
    messages.putRefusal(unit, { to: 'north', policyId: 'votes', startMessageId: '1.7', error });
  };
  const sent = await outbox((messages, unit) => {
    put(messages, unit);
    messages.putInquiry(unit, asked, '2026-01-04T00:00:00.000Z');
  });
  const me = { instance: 'south', did: 'south' };
  expect(sent.map(({ id }) => id)).toEqual([
    'south/unknown/north/1.5/2026-01-03T00:00:00.000Z',
    'south/closing/north/1.7',
    'south/inquiry/north/1.6/2026-01-04T00:00:00.000Z',
  ]);
  expect(sent.map(({ message }) => message)).toMatchObject([
    { type: 'unknown', from: me, to: 'north', policyId: 'votes', startMessageId: '1.5', inquiredAt: inquiry.sentAt },
    { type: 'failed', from: me, to: 'north', policyId: 'votes', startMessageId: '1.7', error },
    { type: 'inquiry', from: asked.sender, to: 'north', policyId: 'votes', startMessageId: '1.6' },
  ]);
  expect(await outbox(put, false)).toEqual([]);
  expect(() => new OutgoingMessages(new SimulatedClock(), null).name).toThrow(
    expect.objectContaining({ code: 'INSTANCE_MISSING' }) as Error,
  );
});
