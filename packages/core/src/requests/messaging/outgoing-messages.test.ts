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
import { joseSignatures } from './signatures.js';

const identity = instanceIdentity({ id: 'south', key: newInstanceKey().privateKey });
const envelopes = new Envelopes(identity, {
  signatures: joseSignatures,
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
