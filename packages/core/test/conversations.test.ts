import { MemoryLink } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import type { RemoteRequest } from '@blockwork/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { revisionKeys } from '../src/transactions/index.js';
import {
  ana,
  openWorld,
  owner,
  policy,
  soon,
  voteFor,
  type Side,
  type SideOptions,
  type World,
} from './conversation-fixtures.js';

let world: World;
const open = async (options: SideOptions = {}): Promise<void> => {
  await world.close();
  world = await openWorld(options);
};
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const rowOf = (side: Side, messageId: string): Promise<RemoteRequest | undefined> =>
  side.store.get('request', INSTANCE, messageId);
const incoming = (side: Side): Promise<RemoteRequest> =>
  soon(async () => {
    const [row] = (await side.store.find('request', INSTANCE)).filter(({ direction }) => direction === 'incoming');
    if (row === undefined) throw new Error('Nothing has come in.');
    return row;
  });
const votes = (side: Side) =>
  side.store.find('document', policy.id, { where: { path: 'type', op: 'eq', value: 'vote' } });
const answers = (side: Side) =>
  side.store.find('document', 'notes', { where: { path: 'type', op: 'eq', value: 'answer' } });
const ended = (side: Side, messageId: string, status: string): Promise<void> =>
  soon(async () => expect(await rowOf(side, messageId)).toMatchObject({ status }));
describe('data for a block that another instance hosts', () => {
  it('is approved there by the owner of the policy, and the answer comes back', async () => {
    const { north, south } = world;
    const outgoing = await north.engine.requests.ask(ana, voteFor('yes'));
    expect(outgoing).toMatchObject({ status: 'NEW', direction: 'outgoing', concerns: ana.did });
    const request = await incoming(south);
    expect(request).toMatchObject({
      startMessageId: outgoing.startMessageId,
      sender: { instance: 'north', did: ana.did },
    });
    expect(request.messageId).toMatch(/^\d+\.\d{9}$/);
    await south.engine.requests.approveAsOffered(owner.south, request.messageId);
    await ended(north, outgoing.messageId, 'COMPLETED');
    expect(await rowOf(north, outgoing.messageId)).toMatchObject({
      closed: { by: owner.south.did, result: { counted: 'yes' } },
    });
    expect(await votes(south)).toMatchObject([{ owner: ana.did, document: { vote: 'yes' } }]);
  });

  it('waits through restarts of both sides', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    await north.restart();
    const request = await incoming(south);
    await south.restart();
    await south.engine.requests.approveAsOffered(owner.south, request.messageId);
    await north.restart();
    await ended(north, messageId, 'COMPLETED');
    await north.restart();
    await world.quiet();
    expect(await votes(south)).toHaveLength(1);
    expect((await rowOf(north, messageId))?.history.map(({ status }) => status)).toEqual(['NEW', 'COMPLETED']);
  });

  it('that was sent while the other side was away is there when it comes', async () => {
    const { north, south } = world;
    await south.engine.close();
    await north.engine.requests.ask(ana, voteFor('yes'));
    await north.engine.program.requests.idle();
    await south.restart();
    expect(await incoming(south)).toMatchObject({ status: 'NEW' });
  });

  it('can be waited for', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const answer = north.engine.requests.waitForAnswer(ana, messageId, 60_000);
    await south.engine.requests.reject(owner.south, (await incoming(south)).messageId, 'not today');
    expect(await answer).toMatchObject({ status: 'REJECTED', closed: { reason: 'not today' } });
  });

  it('is waited for no longer than was said', async () => {
    const { messageId } = await world.north.engine.requests.ask(ana, voteFor('yes'));
    const answer = world.north.engine.requests.waitForAnswer(ana, messageId, 1200);
    for (let turn = 0; turn < 10; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      world.pass(400);
    }
    expect(await answer).toMatchObject({ status: 'NEW' });
  });

  it('that the block refuses ends as an error on both sides', async () => {
    const { north, south } = world;
    const question = voteFor('yes');
    const { messageId } = await north.engine.requests.ask(ana, {
      ...question,
      action: { ...question.action, data: { vote: 3 } },
    });
    const request = await incoming(south);
    await expect(south.engine.requests.approveAsOffered(owner.south, request.messageId)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await ended(north, messageId, 'ERROR');
    expect(await rowOf(north, messageId)).toMatchObject({ closed: { error: { code: 'INPUT_INVALID' } } });
  });

  it('for a policy that is not there ends as an error, without a person', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), policyId: 'nowhere' });
    await ended(north, messageId, 'ERROR');
    expect(await incoming(south)).toMatchObject({ status: 'ERROR', closed: { error: { code: 'POLICY_UNKNOWN' } } });
  });

  it('whose result is larger than a message is completed all the same', async () => {
    await open({ south: { limits: { messageCharacters: 5000 } } });
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('long'));
    await south.engine.requests.approveAsOffered(owner.south, (await incoming(south)).messageId);
    await ended(north, messageId, 'COMPLETED');
    expect((await rowOf(north, messageId))?.closed).toMatchObject({
      reason: expect.stringContaining('larger') as string,
    });
  });

  it('beyond what one peer may have open is refused, its asker is told, and there is room again once one is decided', async () => {
    await open({ south: { limits: { peerRequests: 2 } } });
    const { north, south } = world;
    const ask = async () => (await north.engine.requests.ask(ana, voteFor('yes'))).messageId;
    const [first] = [await ask(), await ask()];
    await soon(async () => expect(await south.store.count('request', INSTANCE)).toBe(2));
    const third = await ask();
    await ended(north, third, 'ERROR');
    const error = { code: 'REQUEST_REFUSED', message: expect.stringContaining('excessive: 2 requests') as string };
    expect(await rowOf(north, third)).toMatchObject({ closed: { error } });
    expect((await south.engine.requests.getRefusalReport(owner.south)).counts.excessive).toBe(1);
    await south.engine.requests.approveAsOffered(owner.south, (await incoming(south)).messageId);
    await ended(north, first, 'COMPLETED');
    await ask();
    await soon(async () => expect(await south.store.count('request', INSTANCE)).toBe(3));
  });

  it('cannot be asked in the name of somebody else', async () => {
    const { requests } = world.north.engine;
    const refused = { code: 'IDENTITY_FOREIGN', message: expect.stringContaining('own name') as string };
    await expect(requests.ask(owner.north, voteFor('yes'))).rejects.toMatchObject(refused);
    const resume = { policyId: 'notes', tag: 'notebook', user: { did: owner.north.did } };
    await expect(requests.ask(ana, { ...voteFor('yes'), resume })).rejects.toMatchObject(refused);
  });

  it('cannot be asked of strangers, without a name, or larger than a message can be', async () => {
    const { north, south } = world;
    const { requests } = north.engine;
    await expect(requests.ask(ana, { ...voteFor('yes'), to: 'west' })).rejects.toMatchObject({ code: 'PEER_UNKNOWN' });
    await expect(requests.ask(ana, voteFor('x'.repeat(800_000)))).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' });
    await expect(requests.ask({ did: 'did:north:eve' }, voteFor('yes'))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const action = { type: 'send-data', tag: '' } as never;
    await expect(requests.ask(ana, { ...voteFor('yes'), action })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await north.store.count('request', INSTANCE)).toBe(0);
    await world.quiet();
    expect(await south.store.count('request', INSTANCE)).toBe(0);
  });
});

describe('taking a question back', () => {
  it('ends it on both sides when nobody has decided', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const request = await incoming(south);
    expect(await north.engine.requests.cancel(ana, messageId)).toMatchObject({
      status: 'NEW',
      cancelAsked: { by: ana.did },
    });
    await ended(north, messageId, 'CANCELED');
    expect(await north.engine.requests.cancel(ana, messageId)).toMatchObject({ status: 'CANCELED' });
    await expect(south.engine.requests.approveAsOffered(owner.south, request.messageId)).rejects.toMatchObject({
      code: 'REQUEST_CLOSED',
      facts: { status: 'CANCELED' },
    });
    expect(await votes(south)).toEqual([]);
  });

  it('comes too late when it was carried out, and then says so', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    await south.engine.requests.approveAsOffered(owner.south, (await incoming(south)).messageId);
    await north.engine.requests.cancel(ana, messageId).catch(() => undefined);
    await ended(north, messageId, 'COMPLETED');
    await expect(north.engine.requests.cancel(ana, messageId)).rejects.toMatchObject({
      code: 'REQUEST_CLOSED',
      facts: { status: 'COMPLETED' },
    });
    expect(await votes(south)).toHaveLength(1);
  });

  it('is for whoever outgoing, and for nobody else', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    const request = await incoming(south);
    const unknown = { code: 'REQUEST_UNKNOWN', status: 404 };
    await expect(north.engine.requests.cancel(owner.north, messageId)).rejects.toMatchObject(unknown);
    await expect(south.engine.requests.cancel(owner.south, request.messageId)).rejects.toMatchObject(unknown);
    await expect(north.engine.requests.approveAsOffered(owner.north, messageId)).rejects.toMatchObject(unknown);
    await expect(north.engine.requests.reject(owner.north, messageId)).rejects.toMatchObject(unknown);
  });
});

describe('time', () => {
  it('closes what nobody has decided, on both sides', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), expiresInMs: 60_000 });
    const request = await incoming(south);
    world.pass(60_000);
    await ended(south, request.messageId, 'EXPIRED');
    await ended(north, messageId, 'EXPIRED');
    await expect(south.engine.requests.approveAsOffered(owner.south, request.messageId)).rejects.toMatchObject({
      code: 'REQUEST_CLOSED',
    });
  });

  it('closes what expired while the engine was down, when it is started again', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), expiresInMs: 60_000 });
    await incoming(south);
    await south.engine.close();
    world.pass(120_000);
    await south.restart();
    await ended(north, messageId, 'EXPIRED');
  });

  it('ends the waiting for an instance that never answers', async () => {
    await open({ south: { peers: [] } });
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), expiresInMs: 60_000 });
    await soon(async () =>
      expect((await south.engine.requests.getRefusalReport(owner.south)).counts['unknown-sender']).toBe(1),
    );
    world.pass(60_000);
    await world.quiet();
    expect(await rowOf(north, messageId)).toMatchObject({ status: 'NEW' });
    world.pass(24 * 3_600_000);
    await ended(north, messageId, 'EXPIRED');
  });
});

describe('a rule of the program', () => {
  it('approves what it says, once, and leaves the rest to people', async () => {
    await open({ south: { autoApprove: ({ action }) => JSON.stringify(action).includes('yes') } });
    const { north, south } = world;
    const yes = await north.engine.requests.ask(ana, voteFor('yes'));
    const no = await north.engine.requests.ask(ana, voteFor('no'));
    await ended(north, yes.messageId, 'COMPLETED');
    await world.quiet();
    expect(await rowOf(north, no.messageId)).toMatchObject({ status: 'NEW' });
    expect(await votes(south)).toHaveLength(1);
  });

  it('has what it approves stored together with the outcome, in one unit', async () => {
    await open({ south: { autoApprove: () => true } });
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    await ended(north, messageId, 'COMPLETED');
    const [row] = await south.store.find('request', INSTANCE);
    expect(row).toMatchObject({ status: 'COMPLETED', closed: { by: 'rule' } });
    expect(await south.store.revision(revisionKeys.request.of(row?.id ?? ''))).toBe(1);
  });

  it('is applied after a restart to what came in before', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, voteFor('yes'));
    await incoming(south);
    await south.restart({ autoApprove: () => Promise.resolve(true) });
    await ended(north, messageId, 'COMPLETED');
  });

  it('that fails leaves the request open, and is tried again', async () => {
    let tries = 0;
    const autoApprove = (): boolean => {
      tries += 1;
      if (tries === 1) throw new Error('The rule has a bug.');
      return true;
    };
    await open({ south: { autoApprove } });
    const { messageId } = await world.north.engine.requests.ask(ana, voteFor('yes'));
    await soon(() => expect(tries).toBe(1));
    await world.quiet();
    world.pass(200);
    await ended(world.north, messageId, 'COMPLETED');
  });
});

describe('a block that waits for the answer', () => {
  const resume = { policyId: 'notes', tag: 'notebook', user: { did: ana.did } };
  beforeEach(() => world.north.engine.importPolicy(owner.north, { ...policy, id: 'notes', name: 'Notes' }));

  it('goes on once, with the answer, in the unit that closes the row', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), resume });
    await north.restart();
    await south.engine.requests.approveAsOffered(owner.south, (await incoming(south)).messageId);
    await ended(north, messageId, 'COMPLETED');
    await north.restart();
    await world.quiet();
    const answer = { messageId, status: 'COMPLETED', result: { counted: 'yes' }, error: null };
    expect(await answers(north)).toMatchObject([{ owner: ana.did, document: answer }]);
  });

  it('that cannot go on leaves nothing behind, and the row says why', async () => {
    const { north, south } = world;
    const { messageId } = await north.engine.requests.ask(ana, { ...voteFor('yes'), resume });
    await south.engine.requests.reject(owner.south, (await incoming(south)).messageId);
    await ended(north, messageId, 'REJECTED');
    expect(await answers(north)).toEqual([]);
    expect((await rowOf(north, messageId))?.closed?.resumeError).toMatchObject({ code: 'BLOCK_FAILED' });
  });

  it('hears of a cancellation and of the end of time as well', async () => {
    const { north, south } = world;
    const canceled = await north.engine.requests.ask(ana, { ...voteFor('1'), resume });
    const expired = await north.engine.requests.ask(ana, { ...voteFor('2'), resume, expiresInMs: 1000 });
    await soon(async () => expect(await south.store.count('request', INSTANCE)).toBe(2));
    await north.engine.requests.cancel(ana, canceled.messageId);
    await ended(north, canceled.messageId, 'CANCELED');
    world.pass(1000);
    await ended(north, expired.messageId, 'EXPIRED');
    const statuses = (await answers(north)).map(({ document }) => (document as { status: string }).status);
    expect(statuses).toEqual(['CANCELED', 'EXPIRED']);
  });
});

describe('a policy that is offered', () => {
  it('is taken over with its record and its configuration', async () => {
    const { north, south } = world;
    const { messageId } = await south.engine.requests.offerPolicy(owner.south, policy.id, { to: 'north' });
    await north.engine.requests.approveAsOffered(owner.north, (await incoming(north)).messageId);
    await ended(south, messageId, 'COMPLETED');
    expect(await north.engine.getPolicy(owner.north, policy.id)).toMatchObject({
      name: 'Votes',
      config: { tag: 'root' },
    });
    expect(await north.engine.program.requests.getHost(policy.id)).toBeUndefined();
  });

  it('as a view stays with its host, and data for its blocks goes there', async () => {
    const { north, south } = world;
    await south.engine.requests.offerPolicy(owner.south, policy.id, { to: 'north', view: true });
    await north.engine.requests.approveAsOffered(owner.north, (await incoming(north)).messageId);
    expect(await north.engine.program.requests.getHost(policy.id)).toBe('south');
    await expect(north.engine.sendToBlock(ana, policy.id, { tag: 'ballot' }, { vote: 'yes' })).rejects.toMatchObject({
      code: 'POLICY_NOT_RUNNING',
    });
    const outgoing = await north.engine.requests.sendToRemoteBlock(ana, policy.id, { tag: 'ballot' }, { vote: 'yes' });
    await south.engine.requests.approveAsOffered(owner.south, (await incoming(south)).messageId);
    await ended(north, outgoing.messageId, 'COMPLETED');
    expect(await votes(south)).toMatchObject([{ owner: ana.did }]);
  });

  it('as a view passes data on once that is sent twice under one idempotency key', async () => {
    const { north, south } = world;
    await south.engine.requests.offerPolicy(owner.south, policy.id, { to: 'north', view: true });
    await north.engine.requests.approveAsOffered(owner.north, (await incoming(north)).messageId);
    const ask = (idempotencyKey: string): Promise<RemoteRequest> =>
      north.engine.requests.sendToRemoteBlock(ana, policy.id, { tag: 'ballot' }, { vote: 'yes' }, { idempotencyKey });
    const [one, again, other] = [await ask('k'), await ask('k'), await ask('l')];
    expect(again).toEqual(one);
    expect(other.messageId).not.toBe(one.messageId);
  });

  it.each([false, true])('is offered by nobody but its owner, with or without a view (%s)', async (view) => {
    const { north, south } = world;
    const operator = { did: 'did:south:operator', role: 'STANDARD_REGISTRY' };
    await expect(south.engine.requests.offerPolicy(operator, policy.id, { to: 'north', view })).rejects.toMatchObject({
      code: 'POLICY_NOT_OWNED',
    });
    await world.quiet();
    expect(await north.store.count('request', INSTANCE)).toBe(0);
    expect(await south.store.count('request', INSTANCE)).toBe(0);
  });

  it('for somebody in particular is seen by nobody else', async () => {
    const { north, south } = world;
    await south.engine.requests.offerPolicy(owner.south, policy.id, { to: 'north', recipient: 'did:north:other' });
    const { messageId } = await incoming(north);
    await expect(north.engine.requests.approveAsOffered(owner.north, messageId)).rejects.toMatchObject({
      code: 'REQUEST_UNKNOWN',
    });
    expect((await north.engine.requests.list(owner.north)).total).toBe(0);
  });
});

describe('a signature', () => {
  const credential = { id: 'urn:1', type: ['VerifiableCredential'], issuer: owner.south.did };
  const record = async () => {
    const {
      userRole: _a,
      userRoles: _b,
      userGroups: _c,
      config: _d,
      ...rest
    } = await world.south.engine.getPolicy(owner.south, policy.id);
    return rest;
  };
  const ask = async () =>
    world.north.engine.requests.ask(ana, {
      to: 'south',
      policyId: policy.id,
      action: { type: 'sign', signer: owner.south.did, credential, policy: await record() },
    });
  const signer = (sign: (credential: object) => object) => ({
    sign: (each: object) => Promise.resolve(sign(each) as never),
    verify: () => Promise.resolve(true),
  });

  it('is made by the instance that has the keys, when the user approves', async () => {
    await open({ south: { sign: signer((each) => ({ ...each, proof: { value: 'z1' } })) } });
    const { messageId } = await ask();
    await world.south.engine.requests.approveAsOffered(owner.south, (await incoming(world.south)).messageId);
    await ended(world.north, messageId, 'COMPLETED');
    expect((await rowOf(world.north, messageId))?.closed?.result).toEqual({ ...credential, proof: { value: 'z1' } });
  });

  it('is refused where there are no keys', async () => {
    const { messageId } = await ask();
    const request = await incoming(world.south);
    await expect(world.south.engine.requests.approveAsOffered(owner.south, request.messageId)).rejects.toMatchObject({
      code: 'SIGNING_UNAVAILABLE',
      facts: { signer: owner.south.did },
    });
    await ended(world.north, messageId, 'ERROR');
  });

  it.each([
    ['something else', (each: object) => ({ ...each, id: 'urn:2', proof: {} })],
    ['nothing', (each: object) => each],
  ])('over %s is not taken for one', async (_, sign) => {
    await open({ south: { sign: signer(sign) } });
    const { messageId } = await ask();
    await world.south.engine.requests.approveAsOffered(owner.south, (await incoming(world.south)).messageId);
    await ended(world.north, messageId, 'ERROR');
    expect(await rowOf(world.north, messageId)).toMatchObject({ closed: { error: { code: 'ANSWER_INVALID' } } });
  });

  it('whose proof is not the signer’s is not taken for one', async () => {
    const signed = signer((each) => ({ ...each, proof: {} }));
    await open({ south: { sign: signed }, north: { sign: { ...signed, verify: () => Promise.resolve(false) } } });
    const { messageId } = await ask();
    await world.south.engine.requests.approveAsOffered(owner.south, (await incoming(world.south)).messageId);
    await ended(world.north, messageId, 'ERROR');
  });
});

describe('the outbox', () => {
  it('sends by itself when the link is back, waiting longer each time', async () => {
    let [isDown, tries] = [true, 0];
    const link = new MemoryLink({ hub: world.hub, timers: world.timers });
    const publish = link.publish.bind(link);
    link.publish = (...args) => {
      tries += 1;
      return isDown ? Promise.reject(new Error('The link is down.')) : publish(...args);
    };
    await world.north.restart({ link });
    const { messageId } = await world.north.engine.requests.ask(ana, voteFor('yes'));
    await soon(() => expect(tries).toBe(1));
    for (const [at, ms] of [200, 400, 800].entries()) {
      await world.north.engine.program.requests.idle();
      world.pass(ms - 1);
      await world.quiet();
      expect(tries).toBe(at + 1);
      world.pass(1);
      await soon(() => expect(tries).toBe(at + 2));
    }
    isDown = false;
    await world.north.engine.program.requests.idle();
    world.pass(1600);
    expect(await incoming(world.south)).toMatchObject({ startMessageId: messageId });
    await world.north.engine.program.requests.idle();
    expect(await world.north.store.count('outbox', INSTANCE)).toBe(0);
    expect(world.north.inspected).toContainEqual(expect.objectContaining({ type: 'outbox.failed', attempts: 4 }));
  });
});
