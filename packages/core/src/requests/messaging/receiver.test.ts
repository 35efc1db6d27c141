/** What becomes of messages: taken in once, refused for good with an answer to their peer, or delivered again. */
import { expect, it } from 'vitest';
import { requestRow } from '../../../test/request-row.js';
import { BlockworkError } from '../../errors.js';
import { MemoryStore } from '../../memory/index.js';
import { INSTANCE, type RemoteRequest } from '../../records/index.js';
import { Inspections } from '../../telemetry/index.js';
import { Executor } from '../../transactions/index.js';
import { KnownPeers } from './known-peers.js';
import { Receiver, type ReceiverDeps } from './receiver.js';
import { MessageRefused } from './refusal.js';

const opening = (startMessageId: string, more: object = {}) => ({
  type: 'request',
  from: { instance: 'north', did: 'did:north:ana' },
  to: 'south',
  policyId: 'votes',
  startMessageId,
  sentAt: '2026-01-01T00:00:00.000Z',
  action: { type: 'send-data', tag: 'ballot', user: { did: 'did:north:ana' }, data: { vote: 'yes' } },
  expiresAt: '2026-01-08T00:00:00.000Z',
  ...more,
});

/** A receiver of envelopes, each of which holds the messages of that id. */
function world() {
  const store = new MemoryStore();
  const executor = new Executor({ store, commits: { committed: () => undefined }, limits: { conflictRetries: 3 } });
  const envelopes = new Map<unknown, readonly (object | Error)[]>();
  const received: string[] = [];
  const refusals: unknown[] = [];
  const noted: string[] = [];
  const inspected: string[] = [];
  const failing = new Map<string, Error>();
  const identities = ['did:north:*'];
  const peers = new KnownPeers(new Map([['north', { key: {} as never, identities }]]));
  const take = (incoming: { readonly startMessageId: string; readonly messageId: string }) => {
    const failure = failing.get(incoming.startMessageId);
    if (failure !== undefined) return Promise.reject(failure);
    received.push(`${incoming.startMessageId} ${incoming.messageId}`);
    return Promise.resolve({ request: requestRow({ id: incoming.messageId }), isNew: true });
  };
  const receiver = new Receiver({
    ...{ store, executor },
    inspections: new Inspections({ inspector: ({ type }) => void inspected.push(type) }),
    envelopes: {
      open: (body: unknown) => {
        const messages = envelopes.get(body) ?? [];
        const [first] = messages;
        if (first instanceof MessageRefused && messages.length === 1) return Promise.reject(first);
        return Promise.resolve(
          messages.map((message) => (message instanceof Error ? message : { head: message, message, peers })),
        );
      },
    },
    inbox: { take },
    messages: { putRefusal: (_unit: unknown, message: unknown) => void refusals.push(message) },
    refused: { note: (messageId: string, { message }: Error) => void noted.push(`${messageId} ${message}`) },
  } as unknown as ReceiverDeps);
  const put = (value: RemoteRequest) =>
    store.commit({ expect: {}, changes: [{ op: 'put', kind: 'request', partition: INSTANCE, value }] });
  const receive = (messageId: string, ...messages: readonly (object | Error)[]) => {
    envelopes.set(messageId, messages);
    return receiver.receive({ messageId, topic: 'instance/south', body: messageId });
  };
  return { receive, put, received, refusals, noted, inspected, failing };
}

it('a message is taken in under its id, and one of several under an id of its own between that and the next', async () => {
  const { receive, received, inspected } = world();
  await receive('1.000000001', opening('1.1'));
  await receive('1.000000002', opening('1.2'), opening('1.3'));
  expect(received).toEqual(['1.1 1.000000001', '1.2 1.000000002001', '1.3 1.000000002002']);
  expect(inspected).toEqual(Array<string>(3).fill('request.received'));
});

it('a refused message takes none with it, is noted, and its peer is told why', async () => {
  const { receive, received, refusals, noted, failing } = world();
  failing.set('1.1', new MessageRefused('excessive', 'too many', 'north'));
  await receive('1.000000001', opening('1.1'), opening('1.2'), new MessageRefused('forged', 'by east'));
  expect(received).toEqual(['1.2 1.000000001002']);
  expect(noted.sort()).toEqual(['1.000000001001 excessive: too many', '1.000000001003 forged: by east']);
  const error = { code: 'REQUEST_REFUSED', message: 'excessive: too many' };
  expect(refusals).toEqual([{ to: 'north', policyId: 'votes', startMessageId: '1.1', error }]);
});

it('a peer is told of a refusal unless its request has its answer here', async () => {
  for (const [more, told] of [
    [{}, false],
    [{ direction: 'outgoing' }, true],
    [{ sender: { instance: 'west', did: 'did:west:x' } }, true],
    [{ startMessageId: '1.9' }, true],
  ] as const) {
    const { receive, put, refusals, failing } = world();
    await put(requestRow({ id: 'row', startMessageId: '1.1', ...more }));
    failing.set('1.1', new MessageRefused('unexpected', 'different', 'north'));
    await receive('1.000000001', opening('1.1'));
    expect(refusals.length > 0, JSON.stringify(more)).toBe(told);
  }
});

it('what a failing store keeps from being taken in is delivered again, and the rest of its envelope is not', async () => {
  const { receive, received, noted, failing } = world();
  failing.set('1.2', new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'away' } }));
  for (let times = 0; times < 10; times += 1) {
    await expect(receive('1.000000001', opening('1.1'), opening('1.2'))).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  }
  expect([received, noted]).toEqual([['1.1 1.000000001001'], []]);
  failing.clear();
  await receive('1.000000001', opening('1.1'), opening('1.2'));
  expect(received).toEqual(['1.1 1.000000001001', '1.2 1.000000001002']);
});

it('a defect is tried five times, counted anew after a success, and then refused with what it says', async () => {
  const { receive, received, noted, refusals, failing } = world();
  const fail = async (times: number): Promise<void> => {
    failing.set('1.1', new TypeError('a bug'));
    for (let at = 0; at < times; at += 1) await expect(receive('1.000000001', opening('1.1'))).rejects.toThrow('a bug');
  };
  await fail(4);
  failing.clear();
  await receive('1.000000001', opening('1.1'));
  await fail(4);
  await receive('1.000000001', opening('1.1'));
  expect([received.length, noted, refusals]).toEqual([
    1,
    [expect.stringMatching(/^1\.000000001 unprocessable: it failed 5 times: .*a bug/)],
    [],
  ]);
});

it.each([
  [
    'a request for a user of somebody else',
    { from: { instance: 'north', did: 'did:west:x' } },
    'foreign-identity: it may not speak for "did:west:x"',
  ],
  [
    'data of a user of somebody else',
    { action: { type: 'send-data', tag: 'ballot', user: { did: 'did:west:x' }, data: {} } },
    'foreign-identity: it may not speak for "did:west:x"',
  ],
  ['no request', { action: null }, 'invalid: /action'],
])('%s is refused', async (_, more, reason) => {
  const { receive, received, noted, refusals } = world();
  await receive('1.000000001', opening('1.1', more));
  expect([received, noted]).toEqual([[], [expect.stringContaining(`1.000000001 ${reason}`)]]);
  expect(refusals).toMatchObject([{ error: { message: expect.stringContaining(reason) as string } }]);
});

it('an envelope that cannot be opened is noted under its own id', async () => {
  const { receive, noted } = world();
  await receive('1.000000001', new MessageRefused('malformed', 'it is no signed text'));
  expect(noted).toEqual(['1.000000001 malformed: it is no signed text']);
});

it.each(['inquiry', 'event', 'unknown', 'completed'])(
  'a message of the type %s that lacks what it must have is refused',
  async (type) => {
    const { receive, noted, refusals } = world();
    await receive('1.000000001', { type, from: { instance: 'north', did: 'did:north:ana' }, to: 'south' });
    expect([noted, refusals]).toEqual([[expect.stringContaining('1.000000001 invalid: /')], []]);
  },
);
