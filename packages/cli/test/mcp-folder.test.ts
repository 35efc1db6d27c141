/** Edits of policy files in a folder: what was not edited stays as its author wrote it, and an undo restores the bytes. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@blockwork/core/records';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { times } from '../../../test/support/repetitions.js';
import { FolderWorkspace } from '../src/mcp/folder/folder-workspace.js';
import { editedText } from '../src/mcp/folder/edited-text.js';

const newFolder = temporaryFolders();
const open: FolderWorkspace[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((workspace) => workspace.close()));
});

async function workspaceOf(folder: string): Promise<FolderWorkspace> {
  const workspace = await FolderWorkspace.open(folder);
  open.push(workspace);
  return workspace;
}

type Operations = Parameters<ReturnType<FolderWorkspace['client']['policy']>['edit']>[0];

const edit = (workspace: FolderWorkspace, file: string, operations: unknown) =>
  workspace.change(file, ({ id, client }) => client.policy(id).edit(operations as Operations));

const undo = (workspace: FolderWorkspace, file: string, id: string) =>
  workspace.change(file, (at) => at.client.policy(at.id).undo(id));

const definition = (workspace: FolderWorkspace, file: string) =>
  workspace.use(file, async ({ id, client }) => (await client.policy(id).definition()).definition);

/** Those that the engine gives differ from reading to reading. */
const withoutIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'id' || !('blockType' in value));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutIds(member)]));
};

const byHand = `{
  // The board of the village.
  "name": "Board",
  "policyRoles": ["Member"], // one is enough
  "config": {
    "blockType": "interfaceContainerBlock", "tag": "page",
    "permissions": ["ANY_ROLE"],
    "children": [
      { "blockType": "informationBlock", "tag": "news", "permissions": ["ANY_ROLE"], "uiMetaData": { "title": "News" } },
      /* to be written */
      { "tag": "rules", "blockType": "informationBlock", "permissions": ["ANY_ROLE"], "id": "00000000-0000-4000-8000-000000000001" },
    ],
  },
}
`;

it('an edit changes its place in the text: comments, layout, order and ids elsewhere stay', async () => {
  const folder = await newFolder();
  const file = join(folder, 'board.policy.json');
  await writeFile(file, byHand);
  const workspace = await workspaceOf(folder);
  const operations = [
    { op: 'setOption', block: 'news', path: '/uiMetaData/title', value: 'Latest' },
    { op: 'setText', name: 'description', value: 'For all' },
  ];
  const { edit: made } = await edit(workspace, 'board.policy.json', operations);
  const text = await readFile(file, 'utf8');
  expect(text.replace('"Latest"', '"News"').replace(/,\s*"description": "For all"/, '')).toBe(byHand);
  await undo(workspace, 'board.policy.json', made?.id ?? '');
  expect(await readFile(file, 'utf8')).toBe(byHand);
});

it('the file is what the policy is, whoever changed it last, and a change during an edit is not overwritten', async () => {
  const folder = await newFolder();
  const file = join(folder, 'board.policy.json');
  await writeFile(file, byHand);
  const workspace = await workspaceOf(folder);
  expect(await definition(workspace, 'board.policy.json')).toMatchObject({ name: 'Board' });
  await writeFile(file, byHand.replace('"Board"', '"Wall"'));
  expect(await definition(workspace, 'board.policy.json')).toMatchObject({ name: 'Wall' });
  const meanwhile = byHand.replace('"Board"', '"Fence"');
  const racing = workspace.change('board.policy.json', async ({ id, client }) => {
    await client.policy(id).edit([{ op: 'setText', name: 'description', value: 'Mine' }]);
    await writeFile(file, meanwhile);
  });
  await expect(racing).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  expect(await readFile(file, 'utf8')).toBe(meanwhile);
  expect(await definition(workspace, 'board.policy.json')).toMatchObject({ name: 'Fence', description: '' });
});

it('an archive is read and tried, but not edited', async () => {
  const folder = await newFolder();
  const workspace = await workspaceOf(folder);
  const { packArchive } = await import('@blockwork/core/files');
  const policy = {
    name: 'Packed',
    config: { blockType: 'interfaceContainerBlock', tag: 'page', permissions: ['ANY_ROLE'] },
  };
  await writeFile(
    join(folder, 'a.policy'),
    packArchive(new Map([['policy.json', Buffer.from(JSON.stringify(policy))]])),
  );
  expect(await workspace.list()).toMatchObject([{ policy: 'a.policy', readOnly: expect.any(String) as string }]);
  expect(await definition(workspace, 'a.policy')).toMatchObject({ name: 'Packed' });
  await expect(edit(workspace, 'a.policy', [{ op: 'setText', name: 'name', value: 'B' }])).rejects.toMatchObject({
    code: 'FILE_READ_ONLY',
  });
});

const tags = ['choose_role', 'producer', 'report', 'verifier', 'root'];
const tag = fc.constantFrom(...tags);
const json = fc.jsonValue({ maxDepth: 2 });
const operation = fc.oneof(
  fc.record({
    op: fc.constant('addBlock'),
    parent: fc.constantFrom('root', 'producer', 'verifier'),
    index: fc.nat(2),
    block: fc.record({ blockType: fc.constantFrom('informationBlock', 'noBlock'), tag: fc.string({ minLength: 1 }) }),
  }),
  fc.record({ op: fc.constant('removeBlock'), block: tag }),
  fc.record({
    op: fc.constant('moveBlock'),
    block: tag,
    parent: fc.constantFrom('root', 'verifier'),
    index: fc.nat(2),
  }),
  fc.record({
    op: fc.constant('setOption'),
    block: tag,
    path: fc.constantFrom('/title', '/a~1b', '/uiMetaData'),
    value: json,
  }),
  fc.record({
    op: fc.constant('unsetOption'),
    block: tag,
    path: fc.constantFrom('/permissions', '/defaultActive', '/roles'),
  }),
  fc.record({ op: fc.constant('renameTag'), block: tag, tag: fc.string({ minLength: 1 }) }),
  fc.record({ op: fc.constant('addEntry'), list: fc.constantFrom('policyRoles', 'categories'), value: fc.string() }),
  fc.record({
    op: fc.constant('removeEntry'),
    list: fc.constantFrom('policyRoles', 'schemas', 'tokens'),
    entry: fc.nat(1),
  }),
  fc.record({ op: fc.constant('setText'), name: fc.constantFrom('name', 'description'), value: fc.string() }),
);

it('random edits: the file reads as the policy is, and undoing them restores its bytes', async () => {
  const root = await newFolder();
  let [run, applied] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
      const folder = join(root, String((run += 1)));
      await mkdir(folder);
      const workspace = await FolderWorkspace.open(folder);
      try {
        const file = await workspace.create({ name: 'Sunlight', template: 'registry' });
        const created = await readFile(join(folder, file), 'utf8');
        const edits: string[] = [];
        for (const each of operations) {
          const made = await edit(workspace, file, [each]).catch(() => undefined);
          if (made?.edit != null) edits.push(made.edit.id);
        }
        applied += edits.length;
        const fresh = await FolderWorkspace.open(folder);
        try {
          expect(withoutIds(await definition(fresh, file))).toEqual(withoutIds(await definition(workspace, file)));
        } finally {
          await fresh.close();
        }
        for (const id of edits.reverse()) await undo(workspace, file, id);
        expect(await readFile(join(folder, file), 'utf8')).toBe(created);
      } finally {
        await workspace.close();
      }
    }),
    { numRuns: times(12, 60) },
  );
  expect(applied).toBeGreaterThan(run);
});

it('any JSON becomes any other by changes of its text', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.jsonValue({ maxDepth: 4 }),
      fc.integer({ min: 0, max: 4 }),
      (a, b, space) => {
        const text = JSON.stringify(a, null, space);
        expect(JSON.parse(editedText(text, JSON.parse(text), b))).toEqual(JSON.parse(JSON.stringify(b)));
      },
    ),
    { numRuns: times(300, 2_000) },
  );
});
