/** Drafts are edited by their owner, one unit of work each; nothing is lost between two who edit at once, and nothing doubled. */
import { createEngine, MemoryStore, silentLogger, type Caller, type PolicyEngine } from '@blockwork/core';
import { block, FaultyStore } from '@blockwork/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const user: Caller = { did: 'did:example:user', role: 'USER' };

const file = {
  name: 'Draft',
  policyTag: 'draft',
  policyRoles: ['Member'],
  schemas: [{ iri: '#form', name: 'Form', entity: 'VC', status: 'DRAFT', document: { $id: '#form' } }],
  tokens: [{ tokenId: '0.0.1', tokenName: 'One', tokenSymbol: 'ONE', decimals: '2' }],
  config: block('interfaceContainerBlock', 'root', {
    permissions: ['ANY_ROLE'],
    children: [
      block('policyRolesBlock', 'roles', { roles: ['Member'], permissions: ['NO_ROLE'] }),
      block('informationBlock', 'news', { uiMetaData: { title: 'News', description: 'All' } }),
      block('informationBlock', 'more', { uiMetaData: { title: 'More' } }),
    ],
  }),
};

let store: MemoryStore;
let engine: PolicyEngine;
let policyId: string;

beforeEach(async () => {
  store = new MemoryStore();
  engine = createEngine({ store });
  policyId = (await engine.importPolicy(owner, file)).policy.id;
});
afterEach(() => engine.close());

const title = (tag: string, value: string) => ({ op: 'setOption', block: tag, path: '/uiMetaData/title', value });
const edit = (operations: unknown, options?: Parameters<PolicyEngine['editing']['edit']>[3]) =>
  engine.editing.edit(owner, policyId, operations, options);
const read = () => engine.editing.read(owner, policyId);
const bytes = async (): Promise<string> => JSON.stringify((await read()).definition);
const revision = async (): Promise<number> => (await read()).revision;
const titleOf = async (tag: string): Promise<unknown> => {
  const { uiMetaData } = await engine.readBlock<{ uiMetaData: { title: string } }>(user, policyId, { tag });
  return uiMetaData.title;
};
const everything = async (): Promise<unknown> => {
  const kinds = ['configuration', 'schema', 'token', 'policy-edit', 'journal'] as const;
  return [await store.find('policy', 'instance'), await Promise.all(kinds.map((kind) => store.find(kind, policyId)))];
};

describe('an edit', () => {
  it('changes what the blocks do, keeps what was entered, and is in the journal and the history', async () => {
    await engine.sendToBlock(user, policyId, { tag: 'roles' }, { role: 'Member' });
    const { revision: after, edit: change } = await edit([title('news', 'Latest')]);
    expect(await titleOf('news')).toBe('Latest');
    expect(change).toMatchObject({ did: owner.did, id: String(after).padStart(12, '0') });
    expect(await revision()).toBe(after);
    expect((await engine.journal.list(owner, policyId, { from: 'newest' })).items[0]).toMatchObject({
      cause: { type: 'lifecycle', action: 'edit', did: owner.did },
    });
    expect(await engine.editing.history(owner, policyId)).toEqual({ items: [change], total: 1 });
    expect((await engine.getPolicy(user, policyId)).userRole).toBe('Member');
  });

  it('changes texts, roles, schemas and tokens', async () => {
    await edit([
      { op: 'setText', name: 'name', value: 'Renamed' },
      { op: 'addEntry', list: 'policyRoles', value: 'Verifier' },
      { op: 'addEntry', list: 'schemas', value: { iri: '#second', name: 'Second', document: { $id: '#second' } } },
      { op: 'removeEntry', list: 'tokens', entry: '0.0.1' },
    ]);
    expect(await engine.getPolicy(owner, policyId)).toMatchObject({
      name: 'Renamed',
      policyRoles: ['Member', 'Verifier'],
    });
    expect((await store.find('schema', policyId)).map(({ id }) => id).sort()).toEqual(['#form', '#second']);
    expect(await store.find('token', policyId)).toEqual([]);
  });

  it('that is refused changes nothing at all', async () => {
    const before = await everything();
    await expect(edit([title('news', 'A'), title('none', 'B')])).rejects.toMatchObject({
      code: 'EDIT_INVALID',
      details: [{ path: '/operations/1/block', message: 'there is no block "none"' }],
    });
    await engine.importPolicy(owner, { ...file, name: 'Taken' });
    await expect(edit([{ op: 'setText', name: 'name', value: 'Taken' }])).rejects.toThrow('is called "Taken"');
    const [, after] = (await everything()) as [unknown, unknown];
    expect(after).toEqual((before as [unknown, unknown])[1]);
  });

  it('is for the owner alone; others do not learn that there is a draft', async () => {
    const before = await everything();
    const calls = (caller: Caller): (() => Promise<unknown>)[] => [
      () => engine.editing.read(caller, policyId),
      () => engine.editing.edit(caller, policyId, [title('news', 'A')]),
      () => engine.editing.undo(caller, policyId, '000000000001'),
      () => engine.editing.replace(caller, policyId, file),
      () => engine.editing.history(caller, policyId),
      () => engine.editing.get(caller, policyId, '000000000001'),
      () => engine.editing.check(caller, policyId, [title('news', 'A')]),
    ];
    for (const each of calls(other)) await expect(each()).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    for (const each of calls(user)) await expect(each()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await everything()).toEqual(before);
  });

  it('is possible in a draft only', async () => {
    const answer = await edit([title('news', 'A')]);
    const attempts = (): (() => Promise<unknown>)[] => [
      () => edit([title('news', 'B')]),
      () => engine.editing.undo(owner, policyId, answer.edit?.id ?? ''),
      () => engine.editing.replace(owner, policyId, { ...file, name: 'Other' }),
    ];
    await engine.lifecycle.dryRun(owner, policyId);
    for (const each of attempts()) await expect(each()).rejects.toMatchObject({ code: 'POLICY_STATUS' });
    await engine.lifecycle.publish(owner, policyId, '1.0.0');
    for (const each of attempts()) await expect(each()).rejects.toMatchObject({ code: 'POLICY_STATUS' });
    await engine.lifecycle.discontinue(owner, policyId);
    for (const each of attempts()) await expect(each()).rejects.toMatchObject({ code: 'POLICY_STATUS' });
    expect(await titleOf('news')).toBe('A');
  });
});

describe('undo', () => {
  it('of thirty mixed edits, newest first, restores the bytes; undoing the undos brings them back', async () => {
    const before = await bytes();
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const added = { blockType: 'informationBlock', tag: `new ${String(n)}` };
      const batches = [
        [title('news', `News ${String(n)}`), { op: 'addBlock', parent: 'root', block: added, index: n % 3 }],
        [{ op: 'renameTag', block: `new ${String(n)}`, tag: `page ${String(n)}` }],
        n % 2 === 0
          ? [{ op: 'moveBlock', block: 'more', parent: `page ${String(n)}` }]
          : [{ op: 'addEntry', list: 'schemas', value: { iri: `#${String(n)}`, document: {} } }],
      ];
      for (const each of batches) ids.push((await edit(each)).edit?.id ?? '');
    }
    const after = await bytes();
    const undos: string[] = [];
    for (const id of ids.toReversed()) undos.push((await engine.editing.undo(owner, policyId, id)).edit?.id ?? '');
    expect(await bytes()).toBe(before);
    for (const id of undos.toReversed()) await engine.editing.undo(owner, policyId, id);
    expect(await bytes()).toBe(after);
  });

  it('of an earlier edit keeps later ones, unless they changed the same', async () => {
    const first = (await edit([title('news', 'A')])).edit?.id ?? '';
    await edit([title('more', 'B')]);
    await engine.editing.undo(owner, policyId, first);
    expect([await titleOf('news'), await titleOf('more')]).toEqual(['News', 'B']);

    const second = (await edit([title('news', 'C')])).edit?.id ?? '';
    await edit([title('news', 'D')]);
    await expect(engine.editing.undo(owner, policyId, second)).rejects.toMatchObject({ code: 'EDIT_CONFLICT' });
    await expect(engine.editing.undo(owner, policyId, '000000000999')).rejects.toMatchObject({ code: 'EDIT_UNKNOWN' });
    expect(await titleOf('news')).toBe('D');
  });
});

describe('a trial between two edits', () => {
  const tryIt = async (): Promise<void> => {
    await engine.lifecycle.dryRun(owner, policyId);
    await engine.lifecycle.restart(owner, policyId);
    await engine.lifecycle.draft(owner, policyId);
  };

  it('does not end the history: what was made before it can be undone after it', async () => {
    const before = await bytes();
    const first = (await edit([title('news', 'A')])).edit?.id ?? '';
    await tryIt();
    const second = (await edit([title('more', 'B')])).edit?.id ?? '';
    await tryIt();
    await engine.editing.undo(owner, policyId, first);
    await engine.editing.undo(owner, policyId, second);
    expect(await bytes()).toBe(before);
  });

  it('leaves what was read before it valid, and edits that meet are still told apart', async () => {
    await edit([title('news', 'A')]);
    const seen = await revision();
    await tryIt();
    const between = await revision();
    await edit([title('more', 'B')], { ifMatch: seen });
    await edit([title('news', 'C')], { ifMatch: between });
    for (const ifMatch of [seen, between]) {
      await expect(edit([title('more', 'D')], { ifMatch })).rejects.toMatchObject({ code: 'EDIT_CONFLICT' });
    }
    await engine.lifecycle.replace(owner, policyId, file);
    await tryIt();
    await expect(edit([title('more', 'D')], { ifMatch: between })).rejects.toMatchObject({ code: 'EDIT_OUTDATED' });
  });
});

describe('two who edit at once', () => {
  it('both succeed in different blocks, and in different options of one', async () => {
    const revisionRead = await revision();
    await edit([title('news', 'Mine')], { ifMatch: revisionRead });
    await edit([title('more', 'Yours')], { ifMatch: revisionRead });
    await edit([{ op: 'setOption', block: 'news', path: '/uiMetaData/description', value: 'Other' }], {
      ifMatch: revisionRead,
    });
    expect((await read()).definition.config.children.map(({ uiMetaData }) => uiMetaData)).toEqual([
      {},
      { title: 'Mine', description: 'Other' },
      { title: 'Yours' },
    ]);
  });

  it('in the same option, the second is told both values and changes nothing', async () => {
    const revisionRead = await revision();
    await edit([title('news', 'Mine')], { ifMatch: revisionRead });
    const before = await everything();
    await expect(edit([title('more', 'x'), title('news', 'Yours')], { ifMatch: revisionRead })).rejects.toMatchObject({
      code: 'EDIT_CONFLICT',
      status: 409,
      details: [{ path: '/operations/1', message: expect.stringMatching(/is "Mine"; this edit sets "Yours"/) }],
    });
    expect(await everything()).toEqual(before);
  });

  const conflicting: [string, object, object][] = [
    ['a block that is gone', { op: 'removeBlock', block: 'news' }, title('news', 'A')],
    ['a block that was changed, by removing it', title('news', 'A'), { op: 'removeBlock', block: 'news' }],
    [
      'a list whose items moved',
      { op: 'setOption', block: 'news', path: '/a', value: [1, 2] },
      { op: 'setOption', block: 'news', path: '/a/0', value: 3 },
    ],
    [
      'a tag that was renamed',
      { op: 'renameTag', block: 'news', tag: 'a' },
      { op: 'connect', block: 'more', link: { target: 'news', output: 'RunEvent', input: 'RunEvent' } },
    ],
    [
      'the position of one block',
      { op: 'moveBlock', block: 'news', parent: 'root', index: 0 },
      { op: 'moveBlock', block: 'news', parent: 'root', index: 2 },
    ],
    [
      'one entry',
      { op: 'setEntry', list: 'policyRoles', entry: 'Member', value: 'A' },
      { op: 'removeEntry', list: 'policyRoles', entry: 'Member' },
    ],
    [
      'a new tag',
      { op: 'addBlock', parent: 'root', block: { blockType: 'informationBlock', tag: 'x' } },
      { op: 'addBlock', parent: 'root', block: { blockType: 'informationBlock', tag: 'x' } },
    ],
  ];
  it.each(conflicting)('conflict over %s', async (_name, first, second) => {
    const revisionRead = await revision();
    await edit([first], { ifMatch: revisionRead });
    await expect(edit([second], { ifMatch: revisionRead })).rejects.toMatchObject({ code: 'EDIT_CONFLICT' });
  });

  it('do not conflict over what was undone since', async () => {
    const revisionRead = await revision();
    const id = (await edit([title('news', 'Mine')])).edit?.id ?? '';
    await engine.editing.undo(owner, policyId, id);
    await edit([title('news', 'Yours')], { ifMatch: revisionRead });
    expect(await titleOf('news')).toBe('Yours');
  });

  it('the second who replaces all of it is told what was changed since', async () => {
    const revisionRead = await revision();
    await edit([title('news', 'Mine')], { ifMatch: revisionRead });
    await expect(engine.editing.replace(owner, policyId, file, { ifMatch: revisionRead })).rejects.toMatchObject({
      code: 'EDIT_OUTDATED',
      status: 412,
      details: [{ path: expect.stringMatching(/^\/blocks\/.+\/options\/uiMetaData\/title$/) }],
    });
  });

  it('are refused where the history does not say what was changed', async () => {
    const revisionRead = await revision();
    await engine.lifecycle.replace(owner, policyId, file);
    await expect(edit([title('news', 'A')], { ifMatch: revisionRead })).rejects.toMatchObject({
      code: 'EDIT_OUTDATED',
    });
    await expect(edit([title('news', 'A')], { ifMatch: 999 })).rejects.toMatchObject({ code: 'EDIT_OUTDATED' });
  });

  it('lose nothing when forty edits arrive together', async () => {
    const revisionRead = await revision();
    const operations = Array.from({ length: 40 }, (_, n) => ({
      op: 'setOption',
      block: 'news',
      path: `/o${String(n)}`,
      value: n,
    }));
    await Promise.all(operations.map((each) => edit([each], { ifMatch: revisionRead })));
    const news = (await read()).definition.config.children[1];
    expect(operations.map(({ path }) => news?.[path.slice(1)])).toEqual(operations.map(({ value }) => value));
    expect((await engine.editing.history(owner, policyId)).total).toBe(40);
  });
});

describe('two processes on one store', () => {
  it('lose and double none of the edits of the other', async () => {
    const second = createEngine({ store });
    const add = (to: PolicyEngine, value: string) =>
      to.editing.edit(owner, policyId, [{ op: 'addEntry', list: 'categories', value }], { idempotencyKey: value });
    const values = Array.from({ length: 20 }, (_, n) => String(n));
    const both = values.flatMap((value, n) => [add(n % 2 === 0 ? engine : second, value), add(second, value)]);
    await Promise.all(both);
    expect([...(await read()).definition.categories].sort()).toEqual([...values].sort());
    expect((await second.editing.history(owner, policyId)).total).toBe(values.length);
    await second.close();
  });
});

describe('an edit that is repeated under its key', () => {
  it('has the same answer and changes nothing more', async () => {
    const operations = [{ op: 'addEntry', list: 'categories', value: 'A' }];
    const first = await edit(operations, { idempotencyKey: 'one' });
    await edit([title('news', 'B')]);
    expect(await edit(operations, { idempotencyKey: 'one' })).toEqual(first);
    expect((await read()).definition.categories).toEqual(['A']);
    await expect(edit([title('news', 'C')], { idempotencyKey: 'one' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_USED',
    });
  });

  it.each(['dies before', 'dies after', 'unavailable'] as const)(
    'is neither lost nor doubled when the store %s any call',
    async (kind) => {
      let hasFailed = true;
      for (let at = 1; hasFailed; at += 1) {
        const inner = new MemoryStore();
        const first = createEngine({ store: inner });
        const { policy } = await first.importPolicy(owner, file);
        const add = (to: PolicyEngine) =>
          to.editing.edit(owner, policy.id, [{ op: 'addEntry', list: 'categories', value: 'A' }], {
            idempotencyKey: 'k',
          });
        const faulty = new FaultyStore(inner);
        faulty.failAt(at, kind);
        const broken = createEngine({ store: faulty, logger: silentLogger });
        const answer = await add(broken).catch(() => undefined);
        hasFailed = faulty.hasFailed;
        const after = createEngine({ store: inner });
        const repeated = await add(after);
        if (answer !== undefined) expect(repeated).toEqual(answer);
        expect((await after.editing.read(owner, policy.id)).definition.categories).toEqual(['A']);
        expect((await after.editing.history(owner, policy.id)).total).toBe(1);
        await broken.close().catch(() => undefined);
      }
    },
  );
});

describe('the history', () => {
  it('keeps the latest edits within its limits, and goes with the draft', async () => {
    const limited = createEngine({ store, limits: { edits: 3, editBytes: 4_000 } });
    for (let n = 0; n < 6; n += 1) await limited.editing.edit(owner, policyId, [title('news', String(n))]);
    const { items } = await limited.editing.history(owner, policyId);
    expect(items.map(({ operations }) => (operations[0] as { value?: unknown }).value)).toEqual(['5', '4', '3']);
    await limited.editing.edit(owner, policyId, [title('news', 'x'.repeat(4_000))]);
    expect((await limited.editing.history(owner, policyId)).total).toBe(1);
    await limited.lifecycle.delete(owner, policyId);
    expect(await store.count('policy-edit', policyId)).toBe(0);
    await limited.close();
  });
});

describe('a whole definition', () => {
  it('that was read can be put back without any change', async () => {
    const { definition, revision: revisionRead } = await read();
    expect(await engine.editing.replace(owner, policyId, definition, { ifMatch: revisionRead })).toEqual({
      revision: revisionRead,
      edit: null,
    });
  });

  it('changes only what differs, and is undone like any edit', async () => {
    const before = await bytes();
    const { definition } = await read();
    const changed = { ...definition, description: 'New', policyRoles: ['Member', 'Verifier'] };
    const { edit: change } = await engine.editing.replace(owner, policyId, changed);
    expect(change?.operations.map(({ op }) => op)).toEqual(['setText', 'replaceList']);
    await engine.editing.undo(owner, policyId, change?.id ?? '');
    expect(await bytes()).toBe(before);
  });
});

describe('a check', () => {
  it('has the findings that the edit would lead to, and stores nothing', async () => {
    const before = await everything();
    const findings = await engine.editing.check(owner, policyId, [
      { op: 'setOption', block: 'news', path: '/permissions', value: ['Nobody'] },
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ code: 'PERMISSION_UNKNOWN', tag: 'news' }));
    expect(await everything()).toEqual(before);
    await edit([{ op: 'setOption', block: 'news', path: '/permissions', value: ['Nobody'] }]);
    expect(await engine.getFindings(owner, policyId)).toEqual(findings);
  });

  it('finds what the ledger could not keep of a token, as does a look at the policy afterwards', async () => {
    const value = { tokenId: '0.0.1', tokenName: 'One', tokenSymbol: 'ONE', decimals: 99 };
    const operations = [
      { op: 'setEntry', list: 'tokens', entry: '0.0.1', value },
      { op: 'addEntry', list: 'policyTokens', value: { templateTokenTag: 'two', decimals: '-1' } },
    ];
    const found = await engine.editing.check(owner, policyId, operations);
    expect(found.filter(({ severity }) => severity === 'error').map(({ code, pointer }) => [code, pointer])).toEqual([
      ['TOKEN_UNREADABLE', '/policyTokens/0/decimals'],
      ['TOKEN_UNREADABLE', '/tokens/0/decimals'],
    ]);
    await edit(operations);
    expect(await engine.getFindings(owner, policyId)).toEqual(found);
    await expect(engine.lifecycle.publish(owner, policyId, '1.0.0')).resolves.toMatchObject({ isValid: false });
  });

  it('of a definition that is nowhere stored', async () => {
    const findings = await engine.editing.checkDefinition(owner, { ...file, config: block('nonsenseBlock', 'root') });
    expect(findings).toContainEqual(expect.objectContaining({ code: 'BLOCK_TYPE_UNKNOWN', severity: 'error' }));
    await expect(engine.editing.checkDefinition(owner, { name: 'x' })).rejects.toMatchObject({
      code: 'POLICY_FILE_INVALID',
    });
  });
});
