/** Looking things up in the journal of a policy. */
import { createEngine, MemoryStore } from '@blockwork/core';
import type { Caller, JournalEntry, JournalQuery, PolicyEngine } from '@blockwork/core';
import { block, documents } from '@blockwork/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineBlock } from '@blockwork/core/block';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const ann: Caller = { did: 'did:example:ann', role: 'USER' };
const bob: Caller = { did: 'did:example:bob', role: 'USER' };

/** Stores a document, and warns or lets the next block fail when it is told so. */
const keeping = defineBlock({
  type: 'keeping',
  title: 'Keeping',
  description: 'Stores a document.',
  kind: 'interface',
  outputs: ['Kept'],
  async receive(ctx, input) {
    const { id, warn = false, fail = false } = input as { id: string; warn?: boolean; fail?: boolean };
    await ctx.documents.add({ id, owner: ctx.user.did, document: {} });
    if (warn) ctx.warn('Be careful.');
    ctx.emit('Kept', { fail });
  },
});
const checking = defineBlock({
  type: 'checking',
  title: 'Checking',
  description: 'Fails when told so.',
  kind: 'interface',
  on: {
    RunEvent: (ctx, { data }) => {
      if ((data as { fail: boolean }).fail) ctx.fail('INPUT_INVALID', { facts: { reason: 'as told' } });
    },
  },
});

const policy = {
  name: 'Kept',
  policyRoles: ['Member'],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [
      block('policyRolesBlock', 'roles', { roles: ['Member'], permissions: ['NO_ROLE'] }),
      block('keeping', 'keep', { events: [{ source: 'keep', output: 'Kept', target: 'check', input: 'RunEvent' }] }),
      block('checking', 'check', { onErrorAction: 'retry', errorTimeout: 60_000 }),
    ],
  }),
};

const entry: JournalEntry = {
  id: '',
  at: '2026-01-01T00:00:00.000Z',
  cause: { type: 'importer' },
  events: [],
  documents: { added: [], changed: [], removed: [] },
  effects: [],
  warnings: [],
};

let store: MemoryStore;
let engine: PolicyEngine;
let policyId: string;
const list = async (query: JournalQuery = {}) => engine.journal.list(owner, policyId, query);
const namesOf = async (query: JournalQuery): Promise<string[]> =>
  (await list(query)).items.map(({ cause }) =>
    'tag' in cause ? `${cause.tag} ${'did' in cause ? cause.did : ''}` : cause.type,
  );

beforeAll(async () => {
  store = new MemoryStore();
  engine = createEngine({ store, blocks: [keeping, checking], drafts: 'shared' });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
  for (const caller of [ann, bob]) await engine.sendToBlock(caller, policyId, { tag: 'roles' }, { role: 'Member' });
  await engine.sendToBlock(ann, policyId, { tag: 'keep' }, { id: 'a' });
  await engine.sendToBlock(bob, policyId, { tag: 'keep' }, { id: 'b', warn: true });
  await engine.sendToBlock(bob, policyId, { tag: 'keep' }, { id: 'c', fail: true });
  await engine.program.documents.add(policyId, documents(1));
});
afterAll(() => engine.close());

describe('the journal', () => {
  it('has the newest first when it is asked', async () => {
    const { items, total } = await list();
    const newest = await list({ from: 'newest', limit: 2 });
    expect(newest.items).toEqual([...items].reverse().slice(0, 2));
    expect(newest.total).toBe(total);
  });

  it.each<[JournalQuery, string[]]>([
    [{ cause: 'importer' }, ['importer']],
    [{ tag: 'roles' }, [`roles ${ann.did}`, `roles ${bob.did}`]],
    [{ tag: 'check', did: ann.did }, [`keep ${ann.did}`]],
    [{ did: bob.did, from: 'newest' }, [`keep ${bob.did}`, `keep ${bob.did}`, `roles ${bob.did}`]],
    [{ documentId: 'b' }, [`keep ${bob.did}`]],
    [{ documentId: 'b', did: ann.did }, []],
    [{ failed: true }, [`keep ${bob.did}`]],
    [{ tag: '__proto__' }, []],
  ])('is searched with %o', async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
    expect((await list(query)).total).toBe(expected.length);
  });

  it('is paged together with a search', async () => {
    const all = (await list({ did: bob.did })).items;
    expect(all).toHaveLength(3);
    for (const offset of [0, 1, 2, 3]) {
      expect(await list({ did: bob.did, offset, limit: 1 })).toEqual({
        items: all.slice(offset, offset + 1),
        total: 3,
      });
    }
  });

  it('gives one entry by its id, to the owner', async () => {
    const [first] = (await list()).items;
    expect(await engine.journal.get(owner, policyId, first?.id ?? '')).toEqual(first);
    await expect(engine.journal.get(owner, policyId, '999999999999')).rejects.toMatchObject({
      code: 'JOURNAL_ENTRY_UNKNOWN',
      status: 404,
    });
    await expect(
      engine.journal.get({ ...owner, did: 'did:example:x' }, policyId, first?.id ?? ''),
    ).rejects.toMatchObject({
      code: 'POLICY_NOT_OWNED',
    });
  });

  it('gives an entry by its id after it was archived', async () => {
    const entries = ['000000000101', '000000000102', '000000000104'].map((id) => ({ ...entry, id }));
    const archives = [entries.slice(0, 2), entries.slice(2)].map((part) => ({
      id: part[0]?.id ?? '',
      through: part.at(-1)?.id ?? '',
      entries: part,
    }));
    const changes = archives.map(
      (value) => ({ op: 'put', kind: 'journal-archive', partition: policyId, value }) as const,
    );
    await store.commit({ expect: {}, changes });
    for (const { id } of entries) expect(await engine.journal.get(owner, policyId, id)).toMatchObject({ id });
    for (const id of ['000000000100', '000000000103', '000000000105']) {
      await expect(engine.journal.get(owner, policyId, id)).rejects.toMatchObject({ code: 'JOURNAL_ENTRY_UNKNOWN' });
    }
  });
});
