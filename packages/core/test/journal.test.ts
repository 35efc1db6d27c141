import { createEngine, MemoryStore, type Caller, type JournalEntry, type PolicyEngine } from '@blockwork/core';
import { revisionKeys } from '../src/transactions/index.js';
import { block, documents } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

const source = (tag: string, children: object[] = []) =>
  block('documentsSourceAddon', tag, { dataType: 'vc-documents', children });

const policy = {
  name: 'Registry',
  description: 'A registry',
  policyTag: 'registry',
  policyRoles: ['Installer'],
  config: block('interfaceContainerBlock', '', {
    permissions: ['ANY_ROLE'],
    children: [
      block('policyRolesBlock', 'roles', { roles: ['Installer'], permissions: ['NO_ROLE'] }),
      block('interfaceDocumentsSourceBlock', 'grid', {
        uiMetaData: { enableSorting: true },
        children: [
          source('source'),
          block('paginationAddon', 'pages'),
          block('filtersAddon', 'filter', {
            field: 'option.status',
            optionName: 'option.status',
            optionValue: 'option.status',
            canBeEmpty: true,
            children: [source('options')],
          }),
        ],
      }),
    ],
  }),
};

let store: MemoryStore;
let engine: PolicyEngine;
let policyId: string;

beforeEach(async () => {
  store = new MemoryStore();
  engine = createEngine({ store });
  policyId = (await engine.importPolicy(owner, policy)).policy.id;
  await engine.program.documents.add(
    policyId,
    documents(4, () => ({ option: { status: 'NEW' } })),
  );
});
afterEach(() => engine.close());

const causes = async (): Promise<string[]> =>
  (await engine.journal.list(owner, policyId)).items.map(({ cause }) => ('tag' in cause ? cause.tag : cause.type));
const send = (tag: string, data: object) => engine.sendToBlock(user, policyId, { tag }, data);
const revision = () => store.revision(revisionKeys.policy.of(policyId));

describe('the journal of a policy', () => {
  it('has an entry for what changed, and none for clicks that only change what a user looks at', async () => {
    await send('roles', { role: 'Installer' });
    const before = await causes();
    expect(before).toEqual(['importer', 'roles']);
    await send('pages', { page: 1, itemsPerPage: 2 });
    await send('grid', { orderField: 'createDate', orderDirection: 'desc' });
    await send('source', { orderField: 'createDate', orderDirection: 'asc' });
    await send('filter', { filterValue: 'NEW' });
    expect(await engine.readBlock(user, policyId, { tag: 'pages' })).toEqual({ size: 4, page: 0, itemsPerPage: 2 });
    expect(await causes()).toEqual(before);
  });

  it('is not even a commit where a click changes nothing', async () => {
    await send('roles', { role: 'Installer' });
    await send('pages', { page: 1, itemsPerPage: 2 });
    const before = await revision();
    await send('pages', { page: 1, itemsPerPage: 2 });
    await send('filter', { filterValue: null });
    expect(await revision()).toBe(before);
  });

  it('keeps the page of a user whose first choice of a filter is none', async () => {
    await send('roles', { role: 'Installer' });
    await send('pages', { page: 1, itemsPerPage: 2 });
    await send('filter', { filterValue: null });
    expect(await engine.readBlock(user, policyId, { tag: 'pages' })).toMatchObject({ page: 1 });
  });

  it('is read in pages, of 100 entries unless the caller says otherwise', async () => {
    for (let at = 0; at < 120; at += 1) await engine.program.documents.add(policyId, documents(1));
    const first = await engine.journal.list(owner, policyId);
    expect([first.items.length, first.total]).toEqual([100, 121]);
    const rest = await engine.journal.list(owner, policyId, { offset: 100, limit: 1000 });
    expect(rest.items).toHaveLength(21);
  });

  it.each([{ limit: 1001 }, { limit: Infinity }, { limit: -1 }, { offset: 0.5 }])(
    'refuses the page %o',
    async (range) => {
      await expect(engine.journal.list(owner, policyId, range)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    },
  );
});

describe('the retention of a journal', () => {
  const whole = async (): Promise<{ live: string[]; archived: string[] }> => {
    const live = (await store.find('journal', policyId)).map(({ id }) => id);
    const archives = await store.find('journal-archive', policyId);
    return { live, archived: archives.flatMap(({ entries }) => entries.map(({ id }) => id)) };
  };
  /** What is left when retention has nothing more to do. */
  const settled = async (): Promise<{ live: string[]; archived: string[] }> => {
    let last = await whole();
    for (let unchanged = 0; unchanged < 20; unchanged += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = await whole();
      if (next.live[0] !== last.live[0] || next.archived.length !== last.archived.length) unchanged = 0;
      last = next;
    }
    return last;
  };
  const addAll = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await engine.program.documents.add(policyId, documents(1));
  };
  const archivings = async (): Promise<JournalEntry['cause'][]> => {
    const archives = await store.find('journal-archive', policyId);
    const entries = [...archives.flatMap((archive) => archive.entries), ...(await store.find('journal', policyId))];
    return entries.map(({ cause }) => cause).filter(({ type }) => type === 'retention');
  };

  it('moves the oldest entries into the archive, loses none, and says so in the journal', async () => {
    engine = createEngine({ store, limits: { journalEntries: 50 } });
    await addAll(700);
    const { live, archived } = await settled();
    expect(archived.length).toBeGreaterThan(0);
    expect(new Set([...live, ...archived]).size).toBe(live.length + archived.length);
    const causes = await archivings();
    expect(live.length + archived.length).toBe(701 + causes.length);
    expect([...archived].sort()).toEqual(archived);
    expect(archived.at(-1)! < live[0]!).toBe(true);
    expect(causes.at(-1)).toMatchObject({ type: 'retention', through: archived.at(-1) });
    // A tenth more than the limit, and what came while the last entries were archived.
    expect(live.length).toBeGreaterThanOrEqual(50);
    expect(live.length).toBeLessThan(50 + 20);
  });

  it('leaves a journal alone that is not longer than the limit', async () => {
    engine = createEngine({ store, limits: { journalEntries: 500 } });
    await addAll(450);
    expect(await archivings()).toEqual([]);
    expect(await store.count('journal-archive', policyId)).toBe(0);
  });

  it('goes with the rest of a draft when a trial begins, and the answer counts what was removed', async () => {
    engine = createEngine({ store, limits: { journalEntries: 50 } });
    await addAll(450);
    await vi.waitFor(async () => expect(await store.count('journal-archive', policyId)).toBeGreaterThan(0), {
      timeout: 60_000,
    });
    await send('roles', { role: 'Installer' });
    const { removed } = await engine.lifecycle.dryRun(owner, policyId);
    expect(removed).toMatchObject({ documents: 455, memberships: 1 });
    expect(removed?.journal).toBeGreaterThan(451);
    expect(await whole()).toMatchObject({ live: [expect.any(String)], archived: [] });
    expect((await engine.lifecycle.draft(owner, policyId)).removed).toMatchObject({ documents: 0, journal: 1 });
  });
});
