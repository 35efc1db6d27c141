import { INSTANCE } from '@blockwork/core/records';
import type { RemoteRequest } from '@blockwork/core';
import { createPrivateKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ana, openWorld, owner, policy, soon, voteFor, type Side, type World } from './conversation-fixtures.js';
import { jwsSignatures } from '../src/requests/index.js';
import { keys } from './conversation-fixtures.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const rowOf = (side: Side, messageId: string): Promise<RemoteRequest | undefined> =>
  side.store.get('request', INSTANCE, messageId);
const incoming = async (side: Side): Promise<RemoteRequest[]> =>
  (await side.store.find('request', INSTANCE)).filter(({ direction }) => direction === 'incoming');
const arrived = (side: Side): Promise<RemoteRequest> =>
  soon(async () => {
    const [row] = await incoming(side);
    if (row === undefined) throw new Error('Nothing has come in.');
    return row;
  });
const ended = (side: Side, messageId: string, status: string): Promise<void> =>
  soon(async () => expect(await rowOf(side, messageId)).toMatchObject({ status }));
const votes = (): Promise<unknown[]> =>
  world.south.store.find('document', policy.id, { where: { path: 'type', op: 'eq', value: 'vote' } });
const sent = (side: Side): Promise<void> =>
  soon(async () => {
    await side.engine.program.requests.idle();
    expect(await side.store.count('outbox', INSTANCE)).toBe(0);
  });
const inspected = (side: Side, type: string): number => side.inspected.filter((each) => each.type === type).length;

/** A message as `from` signs it. */
const seal = (from: 'north' | 'south', message: Record<string, string | object>) =>
  jwsSignatures.sign(JSON.stringify(message), from, createPrivateKey({ key: keys[from].privateKey, format: 'jwk' }));

describe('when the link loses messages', () => {
  it('a request that never arrived is sent again, and carried out once', async () => {
    const { north, south, hub } = world;
    await south.engine.close();
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    await sent(north);
    hub.wipe();
    await soon(() => expect(inspected(north, 'request.inquired')).toBe(1));
    await south.restart();
    const request = await arrived(south);
    await south.engine.requests.approveAsOffered(owner.south, request.messageId);
    await ended(north, messageId, 'COMPLETED');
    expect(await votes()).toHaveLength(1);
    expect(await incoming(south)).toHaveLength(1);
  });

  it('an answer that never arrived is given again', async () => {
    const { north, south, hub } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const request = await arrived(south);
    await north.engine.close();
    await south.engine.requests.approveAsOffered(owner.south, request.messageId);
    await sent(south);
    hub.wipe();
    await north.restart();
    expect(await rowOf(north, messageId)).toMatchObject({ status: 'NEW' });
    hub.wipe();
    await ended(north, messageId, 'COMPLETED');
    expect(await rowOf(north, messageId)).toMatchObject({ closed: { result: { counted: 'yes' } } });
    expect(await votes()).toHaveLength(1);
  });

  it('a wish to take a request back that never arrived is told again', async () => {
    const { north, south, hub } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const request = await arrived(south);
    await south.engine.close();
    await north.engine.requests.cancel(ana, messageId);
    await sent(north);
    hub.wipe();
    await soon(() => expect(inspected(north, 'request.inquired')).toBe(1));
    await south.restart();
    await ended(north, messageId, 'CANCELED');
    await ended(south, request.messageId, 'CANCELED');
  });

  it('a request that is open on both sides stays so, however often it is asked for', async () => {
    const { north, south, hub } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const request = await arrived(south);
    for (let round = 1; round <= 3; round += 1) {
      world.pass(10);
      hub.wipe();
      await soon(() => expect(inspected(north, 'request.inquired')).toBe(round));
    }
    await north.engine.program.requests.idle();
    expect(await rowOf(north, messageId)).toMatchObject({ status: 'NEW' });
    await south.engine.requests.approveAsOffered(owner.south, request.messageId);
    await ended(north, messageId, 'COMPLETED');
    expect(await incoming(south)).toHaveLength(1);
    expect(await votes()).toHaveLength(1);
  });

  it('nobody noticing it, the answer is asked for soon after the time is up, long before it is given up', async () => {
    const { north, south, hub } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), expiresInMs: 1000 });
    const request = await arrived(south);
    await north.engine.close();
    await south.engine.requests.approveAsOffered(owner.south, request.messageId);
    await sent(south);
    hub.wipe();
    await north.restart();
    await north.engine.program.requests.idle();
    world.pass(61_001);
    await ended(north, messageId, 'COMPLETED');
    expect(inspected(north, 'request.inquired')).toBe(1);
  });

  it('the operator is told, by the inspector', async () => {
    world.hub.wipe();
    expect(world.north.inspected).toContainEqual({ type: 'link.lost', reason: 'the hub was wiped' });
  });
});

describe('a peer that inquires', () => {
  const head = { to: 'south', policyId: policy.id, startMessageId: '1700000000.000000001' };
  const inquiry = {
    ...head,
    type: 'inquiry',
    from: { instance: 'north', did: ana.did },
    sentAt: '2026-01-01T00:00:00.000Z',
  };

  it('is told of its own requests only', async () => {
    const { north, south, hub } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const request = await arrived(south);
    await south.engine.requests.reject(owner.south, request.messageId);
    await ended(north, messageId, 'REJECTED');
    // South has asked nothing of itself under that id.
    const messages: unknown[] = [];
    const link = world.connect();
    await link.subscribe('instance/north', ({ body }) => Promise.resolve(void messages.push(body)), 'now');
    hub.publish(
      'instance/south',
      await seal('north', { ...inquiry, policyId: 'another', startMessageId: messageId }),
      'a',
    );
    await soon(() => expect(inspected(south, 'message.refused')).toBe(1));
    hub.publish('instance/south', await seal('north', { ...inquiry, startMessageId: messageId }), 'b');
    await soon(() => expect(messages).toHaveLength(1));
    const [, payload = ''] = String(messages[0]).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      type: 'rejected',
      startMessageId: messageId,
    });
    await link.close();
  });

  it('or claims not to know a request, has nothing sent again that nobody inquired after, and one only once', async () => {
    const { north, south, hub } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    await arrived(south);
    const unknown = (inquiredAt: string) =>
      seal('south', {
        type: 'unknown',
        from: { instance: 'south', did: 'south' },
        to: 'north',
        policyId: policy.id,
        startMessageId: messageId,
        sentAt: inquiry.sentAt,
        inquiredAt,
      });
    hub.publish('instance/north', await unknown(inquiry.sentAt), 'a');
    await soon(() => expect(north.inspected).toContainEqual(expect.objectContaining({ reason: 'unexpected' })));
    hub.wipe();
    await soon(() => expect(inspected(north, 'request.inquired')).toBe(1));
    const at = (await rowOf(north, messageId))?.inquiry?.at ?? '';
    await sent(north);
    hub.publish('instance/north', await unknown(at), 'b');
    await soon(async () => expect((await rowOf(north, messageId))?.inquiry).toMatchObject({ isSentAgain: true }));
    hub.publish('instance/north', await unknown(at), 'c');
    await soon(() => expect(north.inspected).toContainEqual(expect.objectContaining({ reason: 'replayed' })));
    expect(await incoming(south)).toHaveLength(1);
  });
});
