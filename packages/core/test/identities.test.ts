/** Keys outside the engine: who registers them, what they may sign, and whose it is. */
import { createEngine, MemoryStore, type Caller, type EngineOptions, type JsonObject } from '@blockwork/core';
import { defineBlock } from '@blockwork/core/block';
import { keyHolder, SimulatedClock, type KeyHolder } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { written } from './policy-fixtures.js';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const gateway: Caller = { did: 'did:example:gateway', permissions: ['POLICIES_EXTERNAL_DATA_CREATE'] };
const ann: Caller = { did: 'did:example:ann', role: 'USER' };
const bob: Caller = { did: 'did:example:bob', role: 'USER' };

/** Keeps what is handed in and verifies, whoever signed it. */
const intake = (type: string, open = false) =>
  defineBlock({
    type,
    title: 'Intake',
    description: '',
    kind: 'server',
    ...(open && { acceptsNonMembers: () => true }),
    async external(ctx, { document }) {
      const { verified, reason } = await ctx.credentials.verify(document);
      if (!verified) ctx.fail('CREDENTIAL_INVALID', { facts: { reason } });
      await ctx.documents.add({ owner: ctx.user.did, group: ctx.user.group, document });
    },
  });

async function world(options: EngineOptions = {}) {
  const clock = new SimulatedClock();
  const store = new MemoryStore();
  const blocks = [intake('intake'), intake('openIntake', true)];
  const engine = createEngine({ clock, store, blocks, ...options });
  const config = written(
    'interfaceContainerBlock',
    'root',
    {},
    written('policyRolesBlock', 'roles', { permissions: ['NO_ROLE'], roles: ['Farmer'] }),
    written('intake', 'intake'),
    written('openIntake', 'open'),
  );
  const { policy } = await engine.importPolicy(owner, { name: 'Fields', policyRoles: ['Farmer'], config });
  await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  const join = (caller: Caller) => engine.sendToBlock(caller, policy.id, { tag: 'roles' }, { role: 'Farmer' });
  const submit = (
    holder: KeyHolder,
    to: string,
    { as = gateway, tag = 'intake', issuer = holder.did }: { as?: Caller; tag?: string; issuer?: string } = {},
  ) => holder.sign({ issuer }).then((document) => handIn(document, to, as, tag));
  const handIn = (document: JsonObject, to: string, as = gateway, tag = 'intake') =>
    engine.submitExternal(as, { owner: to, document }, { policyId: policy.id, tag });
  const owners = async () => (await store.find('document', policy.id)).map((document) => document.owner);
  const strangersTaken = async () => (await owners()).filter((did) => did !== owner.did);
  return { engine, store, clock, policyId: policy.id, join, submit, handIn, strangersTaken };
}

describe('the owner of data from outside', () => {
  it('must be a member: what anybody else signs is not taken, though the proof holds', async () => {
    const { engine, clock, submit, strangersTaken } = await world();
    const stranger = await keyHolder('stranger', clock);
    await expect(submit(stranger, stranger.did)).rejects.toMatchObject({
      code: 'OWNER_NOT_MEMBER',
      status: 403,
      facts: { owner: stranger.did },
    });
    expect(await strangersTaken()).toEqual([]);
    await engine.close();
  });

  it('may be a stranger at a block that says so, and only there', async () => {
    const { engine, clock, submit, strangersTaken, policyId } = await world();
    const stranger = await keyHolder('stranger', clock);
    await submit(stranger, stranger.did, { tag: 'open' });
    expect(await strangersTaken()).toEqual([stranger.did]);
    // Handed to the whole policy, it reaches the open block alone.
    const document = await stranger.sign({ id: 'urn:2' });
    await engine.submitExternal(gateway, { owner: stranger.did, document }, { policyId });
    expect(await strangersTaken()).toEqual([stranger.did, stranger.did]);
    await engine.close();
  });

  it('may be a member who has made none of their groups the active one', async () => {
    const { engine, store, clock, policyId, join, submit, strangersTaken } = await world();
    const user = await keyHolder('user', clock);
    await join({ did: user.did, role: 'USER' });
    const [membership] = await store.find('membership', policyId);
    if (membership === undefined) throw new Error('Nobody has joined.');
    const value = { ...membership, active: false };
    const revision = await store.revision(policyId);
    const changes = [{ op: 'put', kind: 'membership', partition: policyId, value } as const];
    await store.commit({ expect: { [policyId]: revision }, changes });
    await submit(user, user.did);
    expect(await strangersTaken()).toContain(user.did);
    await engine.close();
  });
});

describe('a user with a did:key of their own', () => {
  it('takes a role, and hands in themselves what they have signed', async () => {
    const { engine, store, clock, policyId, join, submit, strangersTaken } = await world();
    const user = await keyHolder('user', clock);
    const caller: Caller = { did: user.did, role: 'USER' };
    await join(caller);
    const [credential] = await store.find('document', policyId);
    // Nobody here can sign for them, so the policy's owner says which role they took.
    expect(credential).toMatchObject({ type: 'user-role', owner: user.did, document: { issuer: { id: owner.did } } });
    await submit(user, user.did, { as: caller });
    expect(await strangersTaken()).toEqual([user.did, user.did]);
    await engine.close();
  });

  it('hands in nothing for others', async () => {
    const { engine, clock, join, submit } = await world();
    const user = await keyHolder('user', clock);
    const caller: Caller = { did: user.did, role: 'USER' };
    await join(caller);
    await join(ann);
    await expect(submit(user, ann.did, { as: caller })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      facts: { permission: 'POLICIES_EXTERNAL_DATA_CREATE' },
    });
    await engine.close();
  });
});

describe('a registered device', () => {
  it('signs in the name of the member who registered it', async () => {
    const { engine, store, clock, policyId, join, submit, strangersTaken } = await world();
    const meter = await keyHolder('meter', clock);
    await join(ann);
    await expect(submit(meter, meter.did)).rejects.toMatchObject({ code: 'OWNER_NOT_MEMBER' });
    const key = await engine.identities.register(ann, {
      registration: await meter.registration(ann.did),
      name: 'Meter',
    });
    expect(key).toEqual({
      id: meter.key,
      did: meter.did,
      member: ann.did,
      name: 'Meter',
      createDate: new Date(clock.now()).toISOString(),
    });
    await submit(meter, meter.did);
    await submit(meter, meter.did, { as: ann });
    expect(await strangersTaken()).toEqual([ann.did, ann.did, ann.did]);
    const entry = (await store.find('journal', policyId)).at(-1);
    expect(entry?.cause).toEqual({ type: 'external', tag: 'intake', did: ann.did, device: meter.did });
    await engine.close();
  });

  it('is nothing to a policy that its member has no role in', async () => {
    const { engine, clock, submit } = await world();
    const meter = await keyHolder('meter', clock);
    await engine.identities.register(ann, { registration: await meter.registration(ann.did) });
    await expect(submit(meter, meter.did)).rejects.toMatchObject({ code: 'OWNER_NOT_MEMBER' });
    await engine.close();
  });

  it('is refused from the moment on which its key is revoked, whatever date it signs with', async () => {
    const { engine, store, clock, policyId, join, submit, handIn, strangersTaken } = await world();
    const meter = await keyHolder('meter', clock);
    await join(ann);
    await engine.identities.register(ann, { registration: await meter.registration(ann.did) });
    await submit(meter, meter.did);
    const early = await meter.sign({ id: 'urn:early' });
    clock.advance('1s');
    const revoked = await engine.identities.revoke(ann, meter.key);
    expect(revoked.revokeDate).toBe(new Date(clock.now()).toISOString());
    clock.advance('1s');
    expect(await engine.identities.revoke(ann, meter.key)).toEqual(revoked);
    await expect(submit(meter, meter.did)).rejects.toMatchObject({ code: 'OWNER_NOT_MEMBER' });
    for (const document of [early, await meter.sign({})]) {
      await expect(handIn(document, ann.did)).rejects.toThrow('the key of its issuer was revoked');
    }
    expect(await strangersTaken()).toEqual([ann.did, ann.did]);
    expect((await store.find('document', policyId)).at(-1)?.document).toMatchObject({ issuer: meter.did });
    await engine.close();
  });
});

describe('a member with keys outside, besides the one that is kept here', () => {
  it('signs with those that they registered, and not with others', async () => {
    const { engine, clock, join, submit, strangersTaken } = await world();
    const phone = await keyHolder('phone', clock);
    await join(ann);
    const byPhone = () => submit(phone, ann.did, { issuer: ann.did });
    await expect(byPhone()).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    await engine.identities.register(ann, { registration: await phone.registration(ann.did, ann.did) });
    await byPhone();
    expect(await strangersTaken()).toEqual([ann.did, ann.did]);
    const other = await keyHolder('other', clock);
    await expect(submit(other, ann.did, { issuer: ann.did })).rejects.toThrow('no such key');
    await engine.close();
  });

  it('publishes them in their DID document until they are revoked', async () => {
    const { engine, clock } = await world();
    const [phone, tablet] = [await keyHolder('phone', clock), await keyHolder('tablet', clock)];
    const methods = async () =>
      ((await engine.program.getIdentityDocument(ann.did))?.assertionMethod as string[] | undefined) ?? [];
    expect(await methods()).toEqual([]);
    for (const holder of [phone, tablet]) {
      await engine.identities.register(ann, { registration: await holder.registration(ann.did, ann.did) });
    }
    expect((await methods()).sort()).toEqual([phone, tablet].map(({ key }) => `${ann.did}#${key}`).sort());
    await engine.identities.revoke(ann, phone.key);
    expect(await methods()).toEqual([`${ann.did}#${tablet.key}`]);
    await engine.close();
  });
});

describe('a registration', () => {
  const invalid = (reason: string) => ({
    code: 'CREDENTIAL_INVALID',
    message: expect.stringContaining(reason) as string,
  });

  it('is refused where its sender does not prove that the key is theirs to register', async () => {
    const { engine, clock } = await world();
    const meter = await keyHolder('meter', clock);
    const good = await meter.registration(ann.did);
    const register = (registration: unknown, caller = ann) => engine.identities.register(caller, { registration });
    await expect(register(good, bob)).rejects.toMatchObject(invalid('not the caller'));
    await expect(register({ ...good, credentialSubject: [{ id: bob.did, type: 'KeyRegistration' }] }, bob))
      .rejects // its signature no longer fits
      .toMatchObject(invalid('signature'));
    await expect(register({ ...good, issuer: ann.did })).rejects.toMatchObject(invalid('no Ed25519 key of its issuer'));
    await expect(register(await meter.sign({}))).rejects.toMatchObject(invalid('subject'));
    // A key for Bob's own identity is registered by Bob alone.
    const forBob = await meter.registration(ann.did, bob.did);
    await expect(register(forBob)).rejects.toMatchObject(invalid('neither its subject nor a did:key'));
    const other = await keyHolder('other', clock);
    await expect(register(await meter.registration(ann.did, other.did))).rejects.toMatchObject(
      invalid('no Ed25519 key'),
    );
    for (const nothing of [null, undefined, 'text', {}, [good], { ...good, proof: undefined }]) {
      await expect(register(nothing)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    }
    expect(await engine.identities.list(ann)).toEqual({ items: [], total: 0 });
    await engine.close();
  });

  it('is made once: again it changes nothing, and another member cannot take the key over', async () => {
    const { engine, clock } = await world();
    const meter = await keyHolder('meter', clock);
    const first = await engine.identities.register(ann, { registration: await meter.registration(ann.did) });
    clock.advance('1s');
    expect(await engine.identities.register(ann, { registration: await meter.registration(ann.did) })).toEqual(first);
    await expect(
      engine.identities.register(bob, { registration: await meter.registration(bob.did) }),
    ).rejects.toMatchObject({ code: 'KEY_REGISTERED' });
    await engine.identities.revoke(ann, meter.key);
    for (const caller of [ann, bob]) {
      const registration = await meter.registration(caller.did);
      await expect(engine.identities.register(caller, { registration })).rejects.toMatchObject({
        code: 'KEY_REGISTERED',
      });
    }
    await engine.close();
  });

  it('is made by one of two members who try at the same moment', async () => {
    const { engine, clock } = await world();
    const meter = await keyHolder('meter', clock);
    const tries = await Promise.allSettled(
      [ann, bob].map(async (caller) =>
        engine.identities.register(caller, { registration: await meter.registration(caller.did) }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await engine.close();
  });

  it('is limited in number, in the length of its name, and to those who may run policies', async () => {
    const { engine, clock } = await world({ limits: { identityKeys: 1 } });
    const [one, two] = [await keyHolder('one', clock), await keyHolder('two', clock)];
    const register = async (holder: KeyHolder, name?: string, caller = ann) =>
      engine.identities.register(caller, { registration: await holder.registration(caller.did), name });
    await expect(register(one, 'x'.repeat(201))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(register(one, 'x', { did: ann.did, role: 'AUDITOR' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await register(one);
    await expect(register(two)).rejects.toMatchObject({ code: 'KEYS_TOO_MANY', facts: { count: 1 } });
    await engine.close();
  });
});

describe('the keys of a member', () => {
  it('are listed for them alone, the newest first, by the page', async () => {
    const { engine, clock } = await world();
    const holders = [];
    for (const name of ['one', 'two', 'three']) {
      const holder = await keyHolder(name, clock);
      holders.push(holder);
      await engine.identities.register(ann, { registration: await holder.registration(ann.did), name });
      clock.advance('1s');
    }
    const names = async (caller: Caller, range = {}) => {
      const { items, total } = await engine.identities.list(caller, range);
      return [items.map(({ name }) => name), total];
    };
    expect(await names(ann)).toEqual([['three', 'two', 'one'], 3]);
    expect(await names(ann, { offset: 1, limit: 1 })).toEqual([['two'], 3]);
    expect(await names(bob)).toEqual([[], 0]);
    await expect(engine.identities.revoke(bob, holders[0]?.key ?? '')).rejects.toMatchObject({ code: 'KEY_UNKNOWN' });
    await engine.close();
  });

  it('are replaced in one step: the new one is registered, the old one revoked, or neither', async () => {
    const { engine, clock, join, submit } = await world();
    const [before, after, identityTaken] = await Promise.all(
      ['before', 'after', 'taken'].map((name) => keyHolder(name, clock)),
    );
    if (before === undefined || after === undefined || identityTaken === undefined) throw new Error('There are three.');
    await join(ann);
    await engine.identities.register(ann, { registration: await before.registration(ann.did), name: 'Meter' });
    await engine.identities.register(bob, { registration: await identityTaken.registration(bob.did) });
    const rotate = async (to: KeyHolder) =>
      engine.identities.rotate(ann, before.key, { registration: await to.registration(ann.did) });
    for (const holder of [identityTaken, before]) {
      await expect(rotate(holder)).rejects.toMatchObject({ code: 'KEY_REGISTERED' });
    }
    await submit(before, before.did);

    const added = await rotate(after);

    expect(added).toMatchObject({ id: after.key, name: 'Meter' });
    expect(await rotate(after)).toEqual(added);
    const { items } = await engine.identities.list(ann);
    expect(items.find(({ id }) => id === before.key)).toMatchObject({ replacedBy: after.key });
    await submit(after, after.did);
    await expect(submit(before, before.did)).rejects.toMatchObject({ code: 'OWNER_NOT_MEMBER' });
    const third = await keyHolder('third', clock);
    await expect(rotate(third)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
    await engine.close();
  });
});
