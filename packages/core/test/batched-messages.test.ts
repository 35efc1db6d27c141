import { BlockworkError, jwsSignatures, type Json, type RemoteRequest } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { createPrivateKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ana, keys, openWorld, owner, policy, soon, voteFor, type World } from './conversation-fixtures.js';

let world: World;
beforeEach(async () => {
  world = await openWorld({ south: { autoApprove: () => true } });
});
afterEach(() => world.close());

const request = (number: number, more: object = {}) => ({
  type: 'request',
  from: { instance: 'north', did: ana.did },
  to: 'south',
  policyId: policy.id,
  startMessageId: `1767225600.${String(number)}1`,
  sentAt: '2026-01-01T00:00:00.000Z',
  action: voteFor(`v${String(number)}`).action,
  expiresAt: '2026-01-02T00:00:00.000Z',
  ...more,
});
const send = async (messages: readonly object[], key: string): Promise<string> => {
  const north = createPrivateKey({ key: keys.north.privateKey, format: 'jwk' });
  const body = await jwsSignatures.sign(JSON.stringify(messages), 'north', north);
  return world.hub.publish('instance/south', body, key);
};
const rows = async (): Promise<RemoteRequest[]> =>
  (await world.south.store.find('request', INSTANCE)).filter(({ direction }) => direction === 'incoming');
const votes = async (): Promise<Json[]> =>
  (await world.south.store.find('document', policy.id)).map(({ document }) => document).sort();
const counts = async () => (await world.south.engine.requests.getRefusalReport(owner.south)).counts;
const completed = (count: number): Promise<void> =>
  soon(async () => expect((await rows()).filter(({ status }) => status === 'COMPLETED')).toHaveLength(count));

describe('an envelope with several messages', () => {
  it('has each of them carried out once, under an id of its own, and each refused one counted', async () => {
    const foreign = request(3, { from: { instance: 'north', did: 'did:south:bea' } });
    const envelope = await send([request(1), request(2), foreign, request(4), request(1)], 'a');
    await completed(3);
    const ids = (await rows()).map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id.startsWith(envelope))).toBe(true);
    expect(await votes()).toHaveLength(3);
    await soon(async () => expect(await counts()).toMatchObject({ 'foreign-identity': 1, replayed: 1 }));
  });

  it('that comes again, or in other company, changes nothing', async () => {
    await send([request(1), request(2)], 'a');
    await completed(2);
    await send([request(2), request(3)], 'b');
    await send([request(1), request(2)], 'c');
    await completed(3);
    await world.quiet();
    expect(await votes()).toHaveLength(3);
    expect(await counts()).toMatchObject({ replayed: 3, unexpected: 0 });
  });

  it('is delivered again for those that the store could not take, and only for these', async () => {
    const commit = world.south.store.commit.bind(world.south.store);
    let failures = 0;
    vi.spyOn(world.south.store, 'commit').mockImplementation((changeSet) => {
      const isSecond = JSON.stringify(changeSet.changes).includes(request(2).startMessageId);
      if (!isSecond || failures === 3) return commit(changeSet);
      failures += 1;
      return Promise.reject(new BlockworkError('STORE_UNAVAILABLE', { facts: { reason: 'it is full' } }));
    });
    await send([request(1), request(2), request(3)], 'a');
    await soon(() => {
      world.pass(1000);
      return completedNow(3);
    });
    expect([failures, await votes().then(({ length }) => length)]).toEqual([3, 3]);
    expect(await counts()).toMatchObject({ replayed: 0 });
  });

  it('is what instances send each other once they have heard of each other, both ways', async () => {
    const { north } = world;
    const ask = async (vote: string): Promise<string> =>
      (await north.engine.requests.ask(ana, voteFor(vote))).messageId;
    const answered = (messageId: string) => north.engine.requests.waitForAnswer(ana, messageId, 60_000);
    await answered(await ask('first'));
    const messageIds = await Promise.all(Array.from({ length: 10 }, (_, at) => ask(`v${String(at)}`)));
    const answers = await Promise.all(messageIds.map(answered));
    expect(answers.map(({ status }) => status)).toEqual(messageIds.map(() => 'COMPLETED'));
    for (const topic of ['instance/south', 'instance/north']) expect(published(topic)).toBeLessThan(11);
  });
});

describe('a request that the rule approves', () => {
  it('is taken in and carried out in one commit, and announced in order', async () => {
    const commits = vi.spyOn(world.south.store, 'commit');
    await send([request(1)], 'a');
    await completed(1);
    await world.quiet();
    const about = commits.mock.calls.filter(([{ changes }]) => changes.some(({ kind }) => kind === 'request'));
    expect(about).toHaveLength(1);
    const [row] = await rows();
    expect(row?.history.map(({ status, by }) => [status, by])).toEqual([
      ['NEW', ana.did],
      ['COMPLETED', 'rule'],
    ]);
    const { inspected } = world.south;
    expect(inspected.map(({ type }) => type).filter((type) => type.startsWith('request.'))).toEqual([
      'request.received',
      'request.closed',
    ]);
  });

  it('is not carried out where it expires while it waits for its policy', async () => {
    await world.close();
    const requests: string[] = [];
    const autoApprove = ({ startMessageId }: RemoteRequest): boolean => requests.push(startMessageId) > 0;
    world = await openWorld({ south: { autoApprove } });
    const commit = world.south.store.commit.bind(world.south.store);
    let free = (): void => undefined;
    const blocked = new Promise<void>((resolve) => (free = resolve));
    vi.spyOn(world.south.store, 'commit').mockImplementation(async (changeSet) => {
      if (JSON.stringify(changeSet.changes).includes(request(1).startMessageId)) await blocked;
      return commit(changeSet);
    });
    const expiresAt = new Date(world.clock.now() + 60_000).toISOString();
    await send([request(1), request(2, { expiresAt })], 'a');
    await soon(() => expect(requests).toHaveLength(2));
    world.pass(60_000);
    free();
    await soon(async () => expect((await rows()).map(({ status }) => status).sort()).toEqual(['COMPLETED', 'EXPIRED']));
    expect(await votes()).toHaveLength(1);
  });

  it('is closed with what went wrong when its action fails for good', async () => {
    await send([request(1, { action: { ...request(1).action, tag: 'nowhere' } })], 'a');
    await soon(async () =>
      expect(await rows()).toMatchObject([
        { status: 'ERROR', closed: { by: 'rule', error: { code: 'BLOCK_UNKNOWN' } } },
      ]),
    );
    expect(await votes()).toEqual([]);
  });
});

const completedNow = async (count: number): Promise<void> =>
  expect((await rows()).filter(({ status }) => status === 'COMPLETED')).toHaveLength(count);

function published(topic: string): number {
  let count = 0;
  for (let message = world.hub.next(topic, null); message !== undefined; count += 1) {
    message = world.hub.next(topic, message.messageId);
  }
  return count;
}
