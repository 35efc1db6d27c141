import { createEngine, MemoryStore, type Caller, type Inspection, type PolicyEngine } from '@blockwork/core';
import { INSTANCE, type PolicyStatus } from '@blockwork/core/records';
import { block, documents } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };
const auditor: Caller = { did: 'did:example:auditor', role: 'AUDITOR' };

const policy = {
  name: 'Registry',
  description: 'A registry',
  topicDescription: 'Registry',
  policyTag: 'registry',
  policyRoles: ['Installer', 'Verifier'],
  policyNavigation: [
    { role: 'Installer', steps: [{ block: 'grid', level: 1, name: 'Reports' }] },
    { role: 'OWNER', steps: [{ block: 'nowhere', level: 1, name: 'Gone' }] },
  ],
  config: block('interfaceContainerBlock', '', {
    children: [
      block('policyRolesBlock', 'roles', { roles: ['Installer', 'Verifier'], permissions: ['NO_ROLE'] }),
      block('interfaceDocumentsSourceBlock', 'grid', {
        tokenId: '0.0.2',
        children: [
          block('documentsSourceAddon', 'source', { dataType: 'vc-documents' }),
          block('paginationAddon', 'pages', { tokenId: '0.0.1' }),
        ],
      }),
      block('informationBlock', 'info', { tokenId: '0.0.2' }),
    ],
  }),
};

let store: MemoryStore;
let engine: PolicyEngine;
let inspections: Inspection[];
let policyId: string;

beforeEach(async () => {
  store = new MemoryStore();
  inspections = [];
  engine = createEngine({ store, inspector: (inspection) => inspections.push(inspection) });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
});
afterEach(() => engine.close());

const setStatus = async (status: PolicyStatus): Promise<void> => {
  const record = await store.get('policy', INSTANCE, policyId);
  const key = `definition/${policyId}`;
  if (record === undefined) throw new Error('no policy');
  await store.commit({
    expect: { [key]: await store.revision(key) },
    changes: [{ op: 'put', kind: 'policy', partition: INSTANCE, value: { ...record, status } }],
  });
};

describe('a policy', () => {
  it('belongs to whoever imports it, as a draft with every field that the interface requires', async () => {
    expect(await engine.getPolicy(owner, policyId)).toMatchObject({
      name: 'Registry',
      status: 'DRAFT',
      owner: owner.did,
      creator: owner.did,
      userRole: 'Administrator',
      userRoles: ['Administrator'],
      version: '1.0.0',
      topicId: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      messageId: expect.stringMatching(/^\d+\.\d{9}$/) as string,
    });
  });

  it('shows each caller their own role in it', async () => {
    await setStatus('PUBLISH');
    expect(await engine.getPolicy(user, policyId)).toMatchObject({
      userRole: 'No role',
      userRoles: ['No role'],
      userGroups: [],
    });
    await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Installer' });
    const mine = await engine.getPolicy(user, policyId);
    expect(mine).toMatchObject({
      userRole: 'Installer',
      userRoles: ['Installer'],
      userGroup: { role: 'Installer', active: true },
    });
    expect((await engine.getPolicy(auditor, policyId)).userRole).toBe('No role');
  });

  it('imported again gets a name and a tag of its own', async () => {
    const again = await Promise.all([engine.importPolicy(owner, policy), engine.importPolicy(owner, policy)]);
    const all = [await engine.getPolicy(owner, policyId), ...again.map((each) => each.policy)];
    expect(new Set(all.map(({ name }) => name)).size).toBe(3);
    expect(new Set(all.map(({ policyTag }) => policyTag)).size).toBe(3);
    expect(all.every(({ name }) => name.startsWith('Registry'))).toBe(true);
  });

  it('given as JSON keeps its id, which can be taken only once', async () => {
    await engine.importPolicy(owner, { ...policy, id: 'mine' });
    expect((await engine.getPolicy(owner, 'mine')).id).toBe('mine');
    await expect(engine.importPolicy(owner, { ...policy, id: 'mine' })).rejects.toMatchObject({
      code: 'POLICY_EXISTS',
    });
  });

  it('cannot bring its own owner, status or dates along', async () => {
    const { policy: record } = await engine.importPolicy(owner, {
      ...policy,
      owner: 'did:example:thief',
      status: 'PUBLISH',
      createDate: '2001-01-01T00:00:00Z',
    });
    expect(record).toMatchObject({ owner: owner.did, status: 'DRAFT' });
    expect(record.createDate).not.toContain('2001');
  });

  it('lists in order of import, a range at a time, with the total', async () => {
    await engine.importPolicy(owner, policy);
    await engine.importPolicy(owner, policy);
    const { items, total } = await engine.listPolicies(owner, { offset: 1, limit: 1 });
    expect({ count: items.length, total }).toEqual({ count: 1, total: 3 });
    expect(items[0]).not.toHaveProperty('config');
    expect(await engine.listPolicies(owner, { offset: 9 })).toEqual({ items: [], total: 3 });
  });

  it.each(['DRAFT', 'DRY-RUN', 'PUBLISH_ERROR'] as const)(
    '%s is seen by its owner and its members alone',
    async (status) => {
      const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
      await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Installer' });
      await setStatus(status);
      const stranger: Caller = { did: 'did:example:stranger', role: 'USER' };
      for (const caller of [owner, user]) {
        expect((await engine.listPolicies(caller)).total).toBe(1);
        expect(await engine.getPolicy(caller, policyId)).toMatchObject({ status });
      }
      for (const caller of [stranger, auditor, other]) {
        expect(await engine.listPolicies(caller)).toEqual({ items: [], total: 0 });
        for (const read of [
          engine.getPolicy(caller, policyId),
          engine.getFindings(caller, policyId),
          engine.listTokenIds(caller, policyId),
          engine.schemas.list(caller, policyId),
          engine.lifecycle.versions(caller, policyId),
        ])
          await expect(read).rejects.toMatchObject({ code: 'POLICY_UNKNOWN', status: 404 });
      }
      await setStatus('PUBLISH');
      for (const caller of [stranger, auditor, other]) expect((await engine.listPolicies(caller)).total).toBe(1);
    },
  );

  it('names its tokens in the order of its blocks, each once', async () => {
    expect(await engine.listTokenIds(owner, policyId)).toEqual(['0.0.2', '0.0.1']);
  });

  it("offers the navigation of the caller's role, with the uuids of its blocks", async () => {
    await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Installer' });
    const { uuid: id } = await engine.findBlock(user, policyId, 'grid');
    expect(await engine.getNavigation(user, policyId)).toEqual([
      { block: 'grid', level: 1, name: 'Reports', uuid: id },
    ]);
    expect(await engine.getNavigation(owner, policyId)).toEqual([{ block: 'nowhere', level: 1, name: 'Gone' }]);
    await setStatus('PUBLISH');
    expect(await engine.getNavigation({ ...user, did: 'did:example:new' }, policyId)).toEqual([]);
  });

  it('without groups has no groups to list or to switch', async () => {
    await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Installer' });
    expect(await engine.listGroups(user, policyId)).toEqual([]);
    expect(await engine.switchGroup(user, policyId, null)).toBe(false);
  });

  it.each(['DRAFT', 'DRY-RUN', 'PUBLISH', 'DEMO'] as const)('in %s is read and takes data', async (status) => {
    await setStatus(status);
    await engine.readBlock(user, policyId, { tag: 'grid' });
    await engine.sendToBlock(user, policyId, { tag: 'pages' }, { page: 0, itemsPerPage: 5 });
  });

  it.each(['DISCONTINUED', 'VIEW'] as const)('in %s is read, and takes no data', async (status) => {
    await setStatus(status);
    await engine.readBlock(user, policyId, { tag: 'grid' });
    await expect(
      engine.sendToBlock(user, policyId, { tag: 'pages' }, { page: 0, itemsPerPage: 5 }),
    ).rejects.toMatchObject({ code: 'POLICY_NOT_RUNNING' });
  });

  it('in PUBLISH_ERROR is neither read nor takes data', async () => {
    await setStatus('PUBLISH_ERROR');
    await expect(engine.readBlock(owner, policyId, { tag: 'grid' })).rejects.toMatchObject({
      code: 'POLICY_NOT_READABLE',
      status: 409,
    });
    await expect(engine.sendToBlock(owner, policyId, { tag: 'pages' }, {})).rejects.toMatchObject({
      code: 'POLICY_NOT_RUNNING',
    });
  });
});

describe('a policy file that cannot be used', () => {
  const deep = (levels: number): object => {
    let config = block('interfaceContainerBlock', 'leaf');
    for (let level = 0; level < levels; level += 1)
      config = block('interfaceContainerBlock', '', { children: [config] });
    return config;
  };
  const children: object[] = [];
  const cyclic = block('interfaceContainerBlock', 'loop', { children });
  children.push(cyclic);

  it.each([
    ['no zip', new TextEncoder().encode('this is no zip'), 'POLICY_FILE_INVALID'],
    ['an empty file', new Uint8Array(), 'POLICY_FILE_INVALID'],
    ['no object', 'a text', 'POLICY_FILE_INVALID'],
    ['a tree of 10,000 levels', { name: 'Deep', config: deep(10_000) }, 'POLICY_FILE_TOO_LARGE'],
    ['a tree that holds itself', { name: 'Loop', config: cyclic }, 'POLICY_FILE_INVALID'],
    ['a block without a type', { name: 'Blank', config: block('', 'a') }, 'POLICY_FILE_INVALID'],
    ['an id of 201 characters', { ...policy, id: 'x'.repeat(201) }, 'POLICY_FILE_INVALID'],
  ])('(%s) is refused with its reason, and changes nothing', async (_, source, code) => {
    const before = await store.revision('policies');
    await expect(engine.importPolicy(owner, source)).rejects.toMatchObject({ code });
    expect(await store.revision('policies')).toBe(before);
    expect((await engine.listPolicies(owner)).total).toBe(1);
  });
});

describe('a block', () => {
  it('is found by uuid in either case and by tag, only within its policy', async () => {
    const { uuid: id } = await engine.findBlock(user, policyId, 'info');
    expect(await engine.readBlock(user, policyId, { uuid: id.toUpperCase() })).toEqual(
      await engine.readBlock(user, policyId, { tag: 'info' }),
    );
    const { policy: other } = await engine.importPolicy(owner, {
      ...policy,
      config: block('interfaceContainerBlock', ''),
    });
    await expect(engine.readBlock(owner, other.id, { uuid: id })).rejects.toMatchObject({
      code: 'BLOCK_UNKNOWN',
      status: 404,
    });
    await expect(engine.readBlock(owner, other.id, { tag: 'info' })).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
  });

  it.each(['__proto__', 'constructor', '', 'no such tag'])('with the tag %j is unknown', async (tag) => {
    await expect(engine.readBlock(owner, policyId, { tag })).rejects.toMatchObject({ code: 'BLOCK_UNKNOWN' });
  });

  it('that does not read, or takes no data, says which', async () => {
    await expect(engine.readBlock(user, policyId, { tag: 'source' })).rejects.toMatchObject({
      code: 'BLOCK_NOT_READABLE',
      status: 405,
    });
    await expect(engine.sendToBlock(user, policyId, { tag: 'info' }, {})).rejects.toMatchObject({
      code: 'BLOCK_NOT_WRITABLE',
    });
  });

  it('tells whether it is open, with the reason', async () => {
    expect(await engine.getAvailability(user, policyId, { tag: 'roles' })).toEqual({ outcome: 'allowed' });
    expect(await engine.getAvailability(owner, policyId, { tag: 'roles' })).toMatchObject({
      outcome: 'forbidden',
      reason: expect.stringContaining('NO_ROLE') as string,
    });
    expect(await engine.getAvailability(owner, policyId, { tag: 'nowhere' })).toMatchObject({ outcome: 'unknown' });
  });

  it('is read without writing anything, ever', async () => {
    await engine.program.documents.add(policyId, documents(30));
    const before = await store.revision(policyId);
    const commit = store.commit.bind(store);
    store.commit = () => Promise.reject(new Error('a read wrote something'));
    const query = { page: '1', itemsPerPage: '5', sortField: 'owner', sortDirection: 'desc' };
    for (const tag of ['grid', 'pages', 'info', 'roles']) await engine.readBlock(user, policyId, { tag }, query);
    await engine.readRoot(user, policyId);
    store.commit = commit;
    expect(await store.revision(policyId)).toBe(before);
    expect(await store.count('block-state', policyId)).toBe(0);
  });
});

describe('documents that an embedder adds', () => {
  it('are added all or none', async () => {
    const bad = { owner: '', document: {} };
    await expect(engine.program.documents.add(policyId, [...documents(3), bad])).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
      facts: { position: 3 },
    });
    expect(await store.count('document', policyId)).toBe(0);
  });

  it('are refused when an id is taken, in the store or in the same list', async () => {
    const [one] = await engine.program.documents.add(
      policyId,
      documents(1, () => ({ id: 'one' })),
    );
    expect(one).toMatchObject({ id: 'one', policyId, dataType: 'vc-documents', option: {} });
    await expect(
      engine.program.documents.add(
        policyId,
        documents(1, () => ({ id: 'one' })),
      ),
    ).rejects.toMatchObject({ code: 'DOCUMENT_EXISTS' });
    await expect(
      engine.program.documents.add(
        policyId,
        documents(2, () => ({ id: 'two' })),
      ),
    ).rejects.toMatchObject({ code: 'DOCUMENT_EXISTS' });
  });

  it('need a policy that exists', async () => {
    await expect(engine.program.documents.add('nowhere', [])).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  });
});

describe('a caller', () => {
  it('without a platform permission is refused everything, by default', async () => {
    const nobody: Caller = { did: 'did:example:nobody' };
    const strange: Caller = { did: 'did:example:nobody', role: '__proto__' };
    for (const caller of [nobody, strange, { ...user, permissions: [] }]) {
      await expect(engine.listPolicies(caller)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      await expect(engine.getPolicy(caller, policyId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      await expect(engine.listTokenIds(caller, policyId)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      await expect(engine.readBlock(caller, policyId, { tag: 'info' })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await expect(engine.sendToBlock(caller, policyId, { tag: 'pages' }, {})).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await expect(engine.importPolicy(caller, policy)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      await expect(engine.requests.approve(caller, '1.1', {})).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    }
    await expect(engine.readBlock(auditor, policyId, { tag: 'info' })).rejects.toMatchObject({
      facts: { permission: 'POLICIES_POLICY_EXECUTE' },
    });
  });

  it('learns of an unknown policy that it is unknown', async () => {
    for (const id of ['nowhere', '__proto__', '']) {
      await expect(engine.getPolicy(user, id)).rejects.toMatchObject({ code: 'POLICY_UNKNOWN', status: 404 });
      await expect(engine.readBlock(user, id, { tag: 'info' })).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    }
  });

  it("may do what an embedder's own table allows", async () => {
    const own = createEngine({ permissionTable: { GUEST: ['POLICIES_POLICY_READ'] } });
    expect(await own.listPolicies({ did: 'did:example:guest', role: 'GUEST' })).toEqual({ items: [], total: 0 });
    await expect(own.listPolicies(user)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await own.close();
  });
});

describe('an engine', () => {
  it('changes nothing for callers who change what they were given', async () => {
    const policy = await engine.getPolicy(owner, policyId);
    policy.policyRoles.push('Intruder');
    policy.name = 'changed';
    (policy.config as { permissions: string[] }).permissions.push('Intruder');
    const root = await engine.readRoot<{ uiMetaData: Record<string, unknown> }>(owner, policyId);
    expect(() => (root.uiMetaData['changed'] = true)).toThrow(TypeError);
    expect(await engine.getPolicy(owner, policyId)).toMatchObject({
      name: 'Registry',
      policyRoles: ['Installer', 'Verifier'],
      config: { permissions: ['ANY_ROLE'] },
    });
    expect((await engine.readRoot<{ uiMetaData: object }>(owner, policyId)).uiMetaData).not.toHaveProperty('changed');
  });

  it('knows nothing of another one in the same process', async () => {
    const other = createEngine();
    expect((await other.listPolicies(owner)).total).toBe(0);
    await other.close();
    expect((await engine.listPolicies(owner)).total).toBe(1);
  });

  it('tells its inspector of a unit only after the commit, and survives one that throws', async () => {
    await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Installer' });
    expect(inspections.at(-1)).toEqual({
      type: 'unit.committed',
      policyId,
      tag: 'roles',
      did: user.did,
      changes: expect.any(Number) as number,
      attempts: 1,
    });
    const failing = createEngine({
      inspector: () => {
        throw new Error('observer');
      },
    });
    await expect(failing.importPolicy(owner, policy)).resolves.toBeDefined();
    await failing.close();
  });

  it('finishes what is under way when it is closed, refuses what comes after, and may be closed again', async () => {
    const sent = engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Installer' });
    await engine.close();
    await expect(sent).resolves.toBe(true);
    await engine.close();
    await expect(engine.listPolicies(owner)).rejects.toMatchObject({ code: 'ENGINE_CLOSED', status: 503 });
    await expect(store.revision(policyId)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(engine.isOpen).toBe(false);
  });

  it('lets an embedder replace any part of it', async () => {
    const { serviceIds } = await import('@blockwork/core');
    const own = new MemoryStore();
    const built = createEngine({
      configure: (container) => {
        container.rebind(serviceIds.store).toConstantValue(own);
      },
    });
    await built.importPolicy(owner, { ...policy, id: 'here' });
    expect(await own.get('policy', INSTANCE, 'here')).toBeDefined();
    await built.close();
  });
});

describe('data from outside that nests without end', () => {
  const deep = (levels: number): unknown => {
    let value: unknown = 'core';
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
    return value;
  };
  const loop: { self?: unknown } = {};
  loop.self = loop;
  let shared: unknown[] = [];
  for (let level = 0; level < 300; level += 1) shared = [shared, shared];

  it.each([
    ['100,000 levels', deep(100_000)],
    ['a value that holds itself', loop],
    ['lists that hold one another twice, 300 levels deep', shared],
  ])('is refused wherever it comes in (%s)', async (_, value) => {
    const sent = engine.sendToBlock(user, policyId, { tag: 'pages' }, { page: 0, itemsPerPage: 5, size: value });
    await expect(sent).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    const document = { owner: owner.did, document: { value } as never };
    await expect(engine.program.documents.add(policyId, [document])).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
    });
    await expect(engine.program.requests.receive({ value })).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
    await expect(engine.importPolicy(owner, { ...policy, note: value })).rejects.toMatchObject({
      status: expect.any(Number) as number,
    });
  });

  it('is taken as long as it has an end', async () => {
    await engine.sendToBlock(user, policyId, { tag: 'pages' }, { page: 0, itemsPerPage: 5, size: deep(190) });
  });
});

describe('an origin', () => {
  it('is imported from once, by whichever engine, for as long as the policy is here', async () => {
    const origin = 'registry.policy';
    const other = createEngine({ store });
    const outcomes = await Promise.allSettled(
      [engine, other].map((each) => each.importPolicy(owner, policy, { origin, documents: documents(3) })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const policyOrigin = await other.program.origins.get(origin);
    expect(policyOrigin).toEqual({ id: origin, policyId: expect.any(String) as string, documents: 3 });
    const again = engine.importPolicy(owner, policy, { origin });
    await expect(again).rejects.toMatchObject({ code: 'POLICY_EXISTS', facts: { policyId: policyOrigin?.policyId } });
    await engine.program.origins.note({ id: origin, policyId: 'long gone', documents: 0 });
    const { policy: anew } = await engine.importPolicy(owner, policy, { origin });
    expect(await engine.program.origins.get(origin)).toEqual({ id: origin, policyId: anew.id, documents: 0 });
    expect(await engine.program.origins.get('elsewhere')).toBeUndefined();
    await other.close();
  });
});
