import {
  createEngine,
  MemoryLink,
  MemoryLinkHub,
  MemoryStore,
  newInstanceKey,
  type Caller,
  type Json,
  type PolicyEngine,
  type PolicyRecord,
} from '@blockwork/core';
import type { ChangeSet } from '@blockwork/core/adapter';
import { defineBlock } from '@blockwork/core/block';
import { INSTANCE } from '@blockwork/core/records';
import { SimulatedClock } from '@blockwork/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { quiet, WatchedLink } from './watched-link.js';

const registry: Caller = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
const messageId = '1773670900.819264517';
const instance = 'registry-of-the-north';
const sender = { instance, did: 'did:example:north' };

/** Counts how often it took data, for the policy's owner and for nobody else. */
const ballot = defineBlock({
  type: 'ballot',
  title: 'Ballot',
  description: '',
  kind: 'interface',
  input: z.object({ vote: z.string() }),
  async receive(ctx, { vote }) {
    if (vote === 'broken') throw new TypeError('Block "ballot"');
    await ctx.documents.add({ owner: ctx.user.did, type: 'vote', document: { vote } });
    return { counted: vote };
  },
});

const config = {
  id: '11111111-1111-4111-8111-111111111111',
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  children: [
    {
      id: '22222222-2222-4222-8222-222222222222',
      blockType: 'ballot',
      tag: 'ballot',
      permissions: ['ANY_ROLE'],
      children: [],
    },
  ],
};

const offered = {
  id: 'offered-policy',
  uuid: '33333333-3333-4333-8333-333333333333',
  name: 'Offered policy',
  description: 'Comes from another registry',
  topicDescription: 'Offered',
  policyTag: 'Offered',
  status: 'DRAFT',
  creator: sender.did,
  owner: sender.did,
  topicId: '0.0.4812345',
  messageId: '1700000000.000000001',
  codeVersion: '1.5.1',
  createDate: '2026-01-01T00:00:00.000Z',
  version: '1.0.0',
  policyRoles: ['Voter'],
  categories: ['cat-1'],
  projectSchema: '44444444-4444-4444-8444-444444444444',
  policyGroups: [
    {
      name: 'Voters',
      creator: 'Voter',
      members: ['Voter'],
      groupAccessType: 'Private',
      groupRelationshipType: 'Single',
    },
  ],
};

const record = { ...offered, userRole: 'No role', userRoles: ['No role'] };
const importRequest = {
  messageId,
  sender,
  policyId: offered.id,
  action: { type: 'import-policy', policy: { ...offered, config } },
};

let clock: SimulatedClock;
let store: MemoryStore;
let link: WatchedLink;
let engine: PolicyEngine;
/** All that were made, which share the store and the link. */
let engines: PolicyEngine[];
/** What the messages of the engine say, inside their signature. */
let replies: Record<string, unknown>[];

const identity = { id: 'here', key: newInstanceKey().privateKey };
const make = (): PolicyEngine => {
  const created = createEngine({
    store,
    link,
    clock,
    blocks: [ballot],
    instance: identity,
    trustedInstances: [instance],
  });
  engines.push(created);
  return created;
};

beforeEach(async () => {
  clock = new SimulatedClock();
  store = new MemoryStore();
  const hub = new MemoryLinkHub({ clock });
  link = new WatchedLink(new MemoryLink({ hub }), hub);
  engines = [];
  engine = make();
  const mine: typeof replies = [];
  replies = mine;
  await link.subscribe(`instance/${instance}`, ({ body }) => {
    const [, payload = ''] = (body as string).split('.');
    mine.push(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>);
    return Promise.resolve();
  });
});

const settled = (): Promise<void> => quiet(engines, [link]);
const row = () => store.get('request', INSTANCE, messageId);

describe('the inbox', () => {
  it('takes a message once, however often it is delivered', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => engine.program.requests.receive(importRequest)));
    expect(new Set(all.map(({ receivedAt }) => receivedAt)).size).toBe(1);
    expect(await engine.requests.list(registry)).toMatchObject({
      total: 1,
      items: [{ messageId, status: 'NEW', type: 'import-policy' }],
    });
  });

  it('refuses another message under an id that it knows', async () => {
    await engine.program.requests.receive(importRequest);
    const forged = {
      ...importRequest,
      policyId: 'x',
      action: { ...importRequest.action, policy: { ...importRequest.action.policy, id: 'x' } },
    };
    await expect(engine.program.requests.receive(forged)).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
  });

  it('refuses instances that are not trusted, which is everybody by default', async () => {
    const stranger = { ...importRequest, sender: { ...sender, instance: 'stranger' } };
    await expect(engine.program.requests.receive(stranger)).rejects.toMatchObject({ code: 'SENDER_UNTRUSTED' });
    await expect(createEngine().program.requests.receive(importRequest)).rejects.toMatchObject({
      code: 'SENDER_UNTRUSTED',
    });
    expect(await row()).toBeUndefined();
  });

  it.each([
    ['no object', 'hello'],
    ['an id that cannot be one', { ...importRequest, messageId: '17.x' }],
    ['an unknown action', { ...importRequest, action: { type: 'delete-everything' } }],
    ['an offer whose policy has another id', { ...importRequest, policyId: 'other' }],
  ])('refuses %s and says why', async (_, message) => {
    await expect(engine.program.requests.receive(message)).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
  });

  it('shows a request for somebody in particular to nobody else', async () => {
    await engine.program.requests.receive({ ...importRequest, recipient: 'did:example:someone' });
    expect((await engine.requests.list(registry)).total).toBe(0);
    await expect(engine.requests.get(registry, messageId)).rejects.toMatchObject({ code: 'REQUEST_UNKNOWN' });
    await expect(engine.requests.approve(registry, messageId, record)).rejects.toMatchObject({
      code: 'REQUEST_UNKNOWN',
    });
  });

  it('is closed to callers without the permission', async () => {
    await engine.program.requests.receive(importRequest);
    const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };
    await expect(engine.requests.list(auditor)).rejects.toThrow('POLICIES_EXTERNAL_POLICY_READ');
    const user: Caller = { did: 'did:example:user', role: 'USER' };
    expect((await engine.requests.list(user)).total).toBe(0);
    expect((await engine.requests.count(user)).total).toBe(0);
    await expect(engine.requests.get(user, messageId)).rejects.toMatchObject({ code: 'REQUEST_UNKNOWN' });
  });
});

describe('approving the import of a policy', () => {
  beforeEach(() => engine.program.requests.receive(importRequest));

  it('stores the policy and answers with its record as the caller sees it', async () => {
    const answer = await engine.requests.approve(registry, messageId, record);
    expect(answer).toMatchObject(record);
    expect(await engine.getPolicy(registry, offered.id)).toMatchObject({
      ...record,
      config: { id: config.id, tag: 'root' },
    });
    expect(await row()).toMatchObject({ status: 'COMPLETED', closed: { by: registry.did } });
  });

  it('gives the same answer again, and does nothing a second time', async () => {
    const first = await engine.requests.approve(registry, messageId, record);
    await settled();
    expect(await engine.requests.approve(registry, messageId, record)).toEqual(first);
    await settled();
    expect(replies).toHaveLength(1);
    expect((await engine.listPolicies(registry)).total).toBe(1);
  });

  it('happens once when fifty approvals come at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => engine.requests.approve(registry, messageId, record)),
    );
    await settled();
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await engine.listPolicies(registry)).total).toBe(1);
    expect(replies).toHaveLength(1);
  });

  it('happens once when two engines share the store', async () => {
    const other = make();
    const answers = await Promise.all(
      [engine, other, engine, other].map((each) => each.requests.approve(registry, messageId, record)),
    );
    await settled();
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(replies).toHaveLength(1);
  });

  it('tells the other side how it ended', async () => {
    await engine.requests.approve(registry, messageId, record);
    await settled();
    expect(replies).toEqual([
      {
        type: 'completed',
        from: { instance: 'here', did: registry.did },
        to: instance,
        startMessageId: messageId,
        policyId: offered.id,
        sentAt: '2026-01-01T00:00:00.000Z',
        result: null,
        takesBatches: true,
      },
    ]);
    expect(await store.count('outbox', INSTANCE)).toBe(0);
  });

  const required = [
    'id',
    'uuid',
    'name',
    'description',
    'topicDescription',
    'policyTag',
    'status',
    'creator',
    'owner',
    'topicId',
    'messageId',
    'codeVersion',
    'createDate',
    'version',
    'userRole',
    'userRoles',
    'policyRoles',
    'categories',
    'projectSchema',
  ] as const;

  it.each(required)('refuses a record without %s, and names it', async (field) => {
    const { [field]: _left, ...rest } = record;
    await expect(engine.requests.approve(registry, messageId, rest)).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      status: 422,
      details: [expect.objectContaining({ path: `/${field}` })],
    });
    expect(await row()).toMatchObject({ status: 'NEW' });
  });

  it('names every field that is wrong, not only the first', async () => {
    const { name: _name, ...rest } = { ...record, topicId: 'topic', userRoles: [3] };
    const refused = engine.requests.approve(registry, messageId, rest);
    await expect(refused).rejects.toMatchObject({
      details: [
        expect.objectContaining({ path: '/name' }),
        expect.objectContaining({ path: '/topicId' }),
        expect.objectContaining({ path: '/userRoles/0' }),
      ],
    });
  });

  it.each([
    ['owner', 'did:example:me'],
    ['creator', 'did:example:me'],
    ['createDate', '2026-02-02T00:00:00.000Z'],
    ['topicId', '0.0.1'],
    ['status', 'PUBLISH'],
    ['version', '9.9.9'],
    ['codeVersion', '0.0.1'],
    ['messageId', '1.1'],
    ['policyRoles', ['Voter', 'Admin']],
    ['policyGroups', []],
    ['config', { ...config, permissions: ['OWNER'] }],
    ['instanceTopicId', '0.0.2'],
  ])('refuses a record that changes %s, which the server owns', async (field, value) => {
    await expect(engine.requests.approve(registry, messageId, { ...record, [field]: value })).rejects.toMatchObject({
      code: 'RECORD_INVALID',
      details: [expect.objectContaining({ path: `/${field}` })],
    });
    expect((await engine.listPolicies(registry)).total).toBe(0);
  });

  it.each(['id', 'uuid'])('refuses the record of another policy (%s)', async (field) => {
    const another = { ...record, [field]: '99999999-9999-4999-8999-999999999999' };
    await expect(engine.requests.approve(registry, messageId, another)).rejects.toMatchObject({
      code: 'RECORD_INVALID',
    });
  });

  it('takes what the approver may write, keeps fields it does not know, and works out those of the caller itself', async () => {
    const sent = {
      ...record,
      name: 'Our name for it',
      note: { from: 'us' },
      userRole: 'Administrator',
      userRoles: ['Administrator'],
      userGroups: [{ active: true }],
    };
    const answer = await engine.requests.approve(registry, messageId, sent);
    expect(answer).toMatchObject({
      name: 'Our name for it',
      note: { from: 'us' },
      userRole: 'No role',
      userRoles: ['No role'],
      userGroups: [],
    });
  });

  it("accepts a record that carries the id of the request instead of the policy's message, and the record with its configuration", async () => {
    const answer = await engine.requests.approve(registry, messageId, {
      ...record,
      messageId,
      config: importRequest.action.policy.config,
    });
    expect(answer.messageId).toBe(offered.messageId);
  });

  it('needs the permission', async () => {
    const user: Caller = { did: 'did:example:user', role: 'USER' };
    await expect(engine.requests.approve(user, messageId, record)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      status: 403,
    });
  });

  it('of an unknown request is refused', async () => {
    await expect(engine.requests.approve(registry, '1.000000001', record)).rejects.toMatchObject({
      code: 'REQUEST_UNKNOWN',
      status: 404,
    });
  });

  it('of a policy that is here already closes the request as an error, for good', async () => {
    await engine.importPolicy(registry, { id: offered.id, name: 'Here first', config });
    await expect(engine.requests.approve(registry, messageId, record)).rejects.toMatchObject({ code: 'POLICY_EXISTS' });
    expect(await row()).toMatchObject({ status: 'ERROR', closed: { error: { code: 'POLICY_EXISTS' } } });
    await expect(engine.requests.approve(registry, messageId, record)).rejects.toMatchObject({
      code: 'REQUEST_CLOSED',
      status: 409,
      facts: { status: 'ERROR' },
    });
    await settled();
    expect(replies).toEqual([
      expect.objectContaining({ type: 'failed', error: expect.objectContaining({ code: 'POLICY_EXISTS' }) as unknown }),
    ]);
  });

  it('after it has expired closes the request and says so', async () => {
    const later = { ...importRequest, messageId: '1773670900.819264518', expiresAt: '2026-01-02T00:00:00Z' };
    await engine.program.requests.receive(later);
    clock.advance('2d');
    await expect(engine.requests.approve(registry, later.messageId, record)).rejects.toMatchObject({
      code: 'REQUEST_CLOSED',
      facts: { status: 'EXPIRED' },
    });
    expect((await engine.listPolicies(registry)).total).toBe(0);
  });

  it('comes too late after it has expired, and so does a rejection, of which the other side hears the end of time', async () => {
    const late = { ...importRequest, messageId: '1773670900.819264519', expiresAt: '2026-01-02T00:00:00Z' };
    await engine.program.requests.receive(late);
    clock.advance('2d');
    await expect(engine.requests.reject(registry, late.messageId, 'no')).rejects.toMatchObject({
      code: 'REQUEST_CLOSED',
      facts: { status: 'EXPIRED' },
    });
    expect(await store.get('request', INSTANCE, late.messageId)).toMatchObject({ status: 'EXPIRED' });
    await settled();
    expect(replies).toMatchObject([{ type: 'expired', startMessageId: late.messageId }]);
  });

  it('stays open when the store fails, and goes through when it is back', async () => {
    const commit = store.commit.bind(store);
    store.commit = () => Promise.reject(new Error('the disk is full'));
    await expect(engine.requests.approve(registry, messageId, record)).rejects.toThrow('the disk is full');
    store.commit = commit;
    expect(await row()).toMatchObject({ status: 'NEW' });
    expect(await engine.requests.approve(registry, messageId, record)).toMatchObject({ id: offered.id });
  });
});

describe('approving data for a block', () => {
  let policy: PolicyRecord;
  const request = (data: Json = { vote: 'yes' }, tag = 'ballot') => ({
    messageId,
    sender,
    policyId: policy.id,
    action: { type: 'send-data', tag, user: { did: 'did:example:remote-user' }, data },
  });

  beforeEach(async () => {
    ({ policy } = await engine.importPolicy(registry, { name: 'Votes', config }));
  });
  const votes = () => store.find('document', policy.id);

  it('gives the data to the block in the name of the remote user, and replies with what it answered', async () => {
    await engine.program.requests.receive(request());
    expect(await engine.requests.approve(registry, messageId, policy)).toMatchObject({ id: policy.id, name: 'Votes' });
    await settled();
    expect(await votes()).toMatchObject([{ owner: 'did:example:remote-user', document: { vote: 'yes' } }]);
    expect(replies[0]).toMatchObject({ type: 'completed', result: { counted: 'yes' } });
  });

  it('happens once when fifty approvals come at the same moment', async () => {
    await engine.program.requests.receive(request());
    await Promise.all(Array.from({ length: 50 }, () => engine.requests.approve(registry, messageId, policy)));
    expect(await votes()).toHaveLength(1);
  });

  it('is for the owner of the policy alone', async () => {
    await engine.program.requests.receive(request());
    const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
    await expect(engine.requests.approve(other, messageId, policy)).rejects.toMatchObject({ code: 'REQUEST_UNKNOWN' });
    expect(await votes()).toEqual([]);
  });

  it('closes the request as an error when the block refuses the data, and leaves nothing of it', async () => {
    await engine.program.requests.receive(request({ vote: 3 }));
    await expect(engine.requests.approve(registry, messageId, policy)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await row()).toMatchObject({ status: 'ERROR' });
    expect(await votes()).toEqual([]);
  });

  it("stays open when the block has a bug: that is for us to mend, not the sender's fault", async () => {
    await engine.program.requests.receive(request({ vote: 'broken' }));
    await expect(engine.requests.approve(registry, messageId, policy)).rejects.toThrow('Block "ballot"');
    expect(await row()).toMatchObject({ status: 'NEW' });
  });

  it('refuses the record of another policy', async () => {
    await engine.program.requests.receive(request());
    const { policy: another } = await engine.importPolicy(registry, { name: 'Another', config });
    await expect(engine.requests.approve(registry, messageId, another)).rejects.toMatchObject({
      code: 'RECORD_INVALID',
    });
    expect(await votes()).toEqual([]);
  });
});

describe('a crash between any two steps', () => {
  /** Lets `commits` commits through; everything after is lost, as if the process had died. */
  class DyingStore extends MemoryStore {
    constructor(private commits: number) {
      super();
    }
    override commit(changeSet: ChangeSet): Promise<void> {
      this.commits -= 1;
      return this.commits < 0 ? Promise.reject(new Error('the process died')) : super.commit(changeSet);
    }
    revive(): void {
      this.commits = Infinity;
    }
  }

  it.each([1, 2, 3])('leaves one effect and one reply in the end (death after commit %i)', async (commits) => {
    const dying = new DyingStore(commits);
    store = dying;
    await make().program.requests.receive(importRequest);
    await make()
      .requests.approve(registry, messageId, record)
      .catch(() => undefined);
    await settled();
    dying.revive();
    const restarted = make();
    expect(await restarted.requests.approve(registry, messageId, record)).toMatchObject({ id: offered.id });
    await settled();
    expect((await restarted.listPolicies(registry)).total).toBe(1);
    expect(replies).toHaveLength(1);
    expect(await store.count('outbox', INSTANCE)).toBe(0);
  });
});
