/** Edit operations: what each changes, what it refuses, and where. */
import { expect, test } from 'vitest';
import { countingIds, link, source } from '../../../test/policy-fixtures.js';
import { defaultPolicyFileLimits, walkTree } from '../../policy/index.js';
import { definitionOf } from '../stored-definition.js';
import { atOnce } from '../../loop-share.js';
import { applyingEdits, readOperations } from './apply.js';

const applyEdits = (...args: Parameters<typeof applyingEdits>) => atOnce(applyingEdits(...args));

const step = source('interfaceStepBlock', 'steps', { finalBlocks: ['apply'], dependencies: ['grid'] });
const more = source('buttonBlock', 'more');
const apply = source('requestVcDocumentBlock', 'apply', { title: 'Apply', errorFallbackTag: 'more' });
const grid = source(
  'interfaceDocumentsSourceBlock',
  'grid',
  {
    uiMetaData: { fields: [{ bindBlock: 'apply' }, { bindBlocks: ['apply', 'more'] }] },
    events: [link('apply', 'RunEvent', 'grid', 'RefreshEvent'), link('grid', 'more', 'apply', 'RunEvent')],
  },
  more,
);
const root = source('interfaceContainerBlock', 'root', {}, step, apply, grid);

const definition = definitionOf({
  record: {
    name: 'Small',
    policyRoles: ['Producer'],
    policyNavigation: [{ role: 'Producer', steps: [{ block: 'apply', level: 1, name: 'Apply' }] }],
  },
  config: root,
  schemas: [],
  tokens: [],
});

const context = { policyId: 'small', ids: countingIds(), limits: { ...defaultPolicyFileLimits, blocks: 8, depth: 3 } };
const edited = (...operations: unknown[]) => applyEdits(definition, readOperations(operations, context), context);
const blockIn = ({ definition: { config } }: ReturnType<typeof edited>, tag: string) =>
  walkTree(config).find(({ block }) => block.tag === tag)?.block;

test('renaming a tag renames links, dependencies, columns, steps, fallbacks and the navigation', () => {
  const once = edited({ op: 'renameTag', block: 'apply', tag: 'form' });
  expect(JSON.stringify(once.definition)).not.toContain('"apply"');
  expect(blockIn(once, 'steps')).toMatchObject({ finalBlocks: ['form'] });
  expect(blockIn(once, 'grid')).toMatchObject({
    uiMetaData: { fields: [{ bindBlock: 'form' }, { bindBlocks: ['form', 'more'] }] },
    events: [{ source: 'form' }, { target: 'form' }],
  });
  expect(once.definition.policyNavigation[0]?.steps?.[0]?.block).toBe('form');
});

test('renaming a child of a grid renames the output that the grid has for it', () => {
  expect(blockIn(edited({ op: 'renameTag', block: 'more', tag: 'details' }), 'grid')?.events[1]).toMatchObject({
    source: 'grid',
    output: 'details',
  });
});

test('a reference that had the new name before keeps it when the renaming is undone', () => {
  const dangling = edited({ op: 'connect', block: 'steps', link: { target: 'form', output: 'a', input: 'b' } });
  const renamed = applyEdits(dangling.definition, [{ op: 'renameTag', block: 'apply', tag: 'form' }], context);
  const undone = applyEdits(renamed.definition, renamed.inverse, context);
  expect(JSON.stringify(undone.definition)).toBe(JSON.stringify(dangling.definition));
});

test('a new block is completed and gets an id; its parent is named by its tag', () => {
  const once = edited({ op: 'addBlock', parent: 'steps', block: { blockType: 'informationBlock', tag: 'hint' } });
  expect(blockIn(once, 'hint')).toMatchObject({ permissions: [], events: [], children: [], uiMetaData: {} });
  expect(once.applied[0]?.operation).toMatchObject({ parent: step.id, index: 0, block: { id: expect.any(String) } });
});

test('an option that is new is written before the named member, and undoing its removal puts it back there', () => {
  const once = edited({ op: 'setOption', block: 'apply', path: '/hint', value: 1, before: 'title' });
  const names = Object.keys(blockIn(once, 'apply') ?? {});
  expect(names.indexOf('hint')).toBe(names.indexOf('title') - 1);
});

test('nothing is changed in the given definition, also by a batch that fails in its middle', () => {
  const before = JSON.stringify(definition);
  expect(() =>
    edited({ op: 'removeBlock', block: 'grid' }, { op: 'setOption', block: 'grid', path: '/a', value: 1 }),
  ).toThrow('/operations/1/block: there is no block "grid"');
  expect(JSON.stringify(definition)).toBe(before);
});

const block = { blockType: 'informationBlock' };
const refused: [operation: Record<string, unknown>, place: string, reason: string][] = [
  [{ op: 'addBlock', parent: 'none', block }, '/parent', 'no block "none"'],
  [{ op: 'addBlock', parent: 'root', index: 9, block }, '/index', 'only 3'],
  [{ op: 'addBlock', parent: 'root', block: { ...block, id: apply.id } }, '/block', 'has the id'],
  [{ op: 'addBlock', parent: 'root', block: { ...block, permissions: 5 } }, '/block', '/permissions'],
  [{ op: 'addBlock', parent: 'root', block: { ...block, children: [block, block, block] } }, '/block', 'at most 8'],
  [{ op: 'addBlock', parent: 'more', block }, '/block', 'levels deep'],
  [{ op: 'removeBlock', block: 'root' }, '/block', 'root'],
  [{ op: 'moveBlock', block: 'grid', parent: 'more' }, '/parent', 'within the block'],
  [{ op: 'setOption', block: 'apply', path: '/tag', value: 'x' }, '/path', 'renameTag'],
  [{ op: 'setOption', block: 'apply', path: '/children/0', value: {} }, '/path', 'addBlock'],
  [{ op: 'setOption', block: 'apply', path: '/a/b', value: 1 }, '/path', 'set it first'],
  [{ op: 'setOption', block: 'apply', path: '/a' }, '/value', 'missing'],
  [{ op: 'setOption', block: 'apply', path: '/permissions/0', value: 1 }, '/value', '/permissions/0'],
  [{ op: 'setOption', block: 'apply', path: '/permissions/5', value: 'A' }, '/path', 'index'],
  [{ op: 'setOption', block: 'apply', path: '/options', value: {} }, '/value', 'set its members'],
  [{ op: 'setOption', block: 'apply', path: '/__proto__/a', value: 1 }, '/path', 'set it first'],
  [{ op: 'unsetOption', block: 'apply', path: '/permissions' }, '/path', 'is missing'],
  [{ op: 'unsetOption', block: 'apply', path: '/none' }, '/path', 'no "/none"'],
  [{ op: 'renameTag', block: 'apply', tag: 'grid' }, '/tag', 'another block'],
  [{ op: 'disconnect', block: 'apply', link: { target: 'a', output: 'b', input: 'c' } }, '/link', 'no link'],
  [{ op: 'addEntry', list: 'policyRoles', value: 'Producer' }, '/value', 'already'],
  [{ op: 'addEntry', list: 'schemas', value: { name: 'A' } }, '/value', '"iri"'],
  [{ op: 'setEntry', list: 'tokens', entry: 'none', value: { tokenId: 'a' } }, '/entry', 'no entry'],
  [{ op: 'setText', name: 'name', value: ' ' }, '/value', 'needs a name'],
  [{ op: 'setOption', block: 'apply', path: 'title', value: 1 }, '/path', 'JSON pointer'],
  [{ op: 'renameTag', block: 'apply', tagg: 'x' }, '/tag', 'is missing'],
  [{ op: 'explode' }, '/op', ''],
];

test.each(refused)('%j is refused at %s', (operation, place, reason) => {
  expect(() => edited(operation)).toThrow(
    expect.objectContaining({
      code: 'EDIT_INVALID',
      details: expect.arrayContaining([{ path: `/operations/0${place}`, message: expect.stringContaining(reason) }]),
    }),
  );
});

test('operations are read as data: nothing but JSON, and nothing that changes a prototype', () => {
  const evil = JSON.parse('[{"op":"setOption","block":"apply","path":"/a","value":{"__proto__":{"b":1}}}]') as unknown;
  expect(() => readOperations(evil, context)).toThrow('prototype');
  expect(() => readOperations([{ op: 'setOption', block: 'a', path: '/a', value: NaN }], context)).toThrow('NaN');
  expect(() => readOperations([], context)).toThrow('cannot be edited');
});
