/** Files of drafts, which blocks use: added and removed by the owner, bounded, and part of the archive. */
import { createEngine, MemoryStore, unpackArchive, type Caller, type PolicyEngine } from '@blockwork/core';
import { block } from '@blockwork/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const owner: Caller = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const other: Caller = { did: 'did:example:other', role: 'STANDARD_REGISTRY' };
const source = { name: 'Draft', config: block('interfaceContainerBlock', 'root', { permissions: ['ANY_ROLE'] }) };
const file = (name: string, bytes: number) => ({ name, extension: 'json', content: new Uint8Array(bytes) });

let store: MemoryStore;
let engine: PolicyEngine;
let policyId: string;
beforeEach(async () => {
  store = new MemoryStore();
  engine = createEngine({ store, policyFileLimits: { entries: 3, entryBytes: 1_000, totalBytes: 1_500 } });
  policyId = (await engine.importPolicy(owner, source)).policy.id;
});
afterEach(() => engine.close());

const names = async (): Promise<string[]> => (await engine.program.listArtifacts(policyId)).map(({ name }) => name);

it('files that are added are in the archive and the journal, and leave the edits of others valid', async () => {
  const { revision } = await engine.editing.read(owner, policyId);
  const [added] = await engine.editing.addFiles(owner, policyId, [file('table', 10)]);
  expect(added).toMatchObject({ id: expect.any(String), name: 'table', extension: 'json' });
  const archive = unpackArchive(await engine.exportPolicy(owner, policyId));
  expect(archive.get(`artifacts/${String(added?.id)}`)).toHaveLength(10);
  const { items } = await engine.journal.list(owner, policyId);
  expect(items.filter(({ cause }) => 'action' in cause && cause.action === 'edit')).toHaveLength(1);
  const operations = [{ op: 'setText', name: 'description', value: 'x' }];
  await engine.editing.edit(owner, policyId, operations, { ifMatch: revision });
  await engine.editing.removeFile(owner, policyId, String(added?.id));
  expect(await names()).toEqual([]);
  await expect(engine.editing.removeFile(owner, policyId, 'none')).rejects.toMatchObject({ code: 'EDIT_INVALID' });
});

it('more or larger files than a policy file may hold are refused, all of them', async () => {
  await engine.editing.addFiles(owner, policyId, [file('first', 1_000)]);
  for (const files of [
    [file('small', 1), file('large', 1_001)],
    [file('small', 1), file('sum', 500)],
    ['a', 'b', 'c'].map((name) => file(name, 1)),
  ])
    await expect(engine.editing.addFiles(owner, policyId, files)).rejects.toMatchObject({
      code: 'POLICY_FILE_TOO_LARGE',
    });
  expect(await names()).toEqual(['first']);
  await engine.editing.addFiles(owner, policyId, [file('rest', 500)]);
  expect(await names()).toHaveLength(2);
});

it('only the owner of a draft changes its files', async () => {
  const [added] = await engine.editing.addFiles(owner, policyId, [file('first', 1)]);
  const change = (caller: Caller) => [
    () => engine.editing.addFiles(caller, policyId, [file('x', 1)]),
    () => engine.editing.removeFile(caller, policyId, String(added?.id)),
  ];
  for (const attempt of change(other)) await expect(attempt()).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
  for (const attempt of change({ did: 'did:example:user', role: 'USER' }))
    await expect(attempt()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await engine.lifecycle.dryRun(owner, policyId);
  for (const attempt of change(owner)) await expect(attempt()).rejects.toMatchObject({ code: 'POLICY_STATUS' });
  const wrong = [{ name: 'x', extension: 'json' }] as never;
  await expect(engine.editing.addFiles(owner, policyId, wrong)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  expect(await names()).toEqual(['first']);
});
