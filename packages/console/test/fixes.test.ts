/** What the studio proposes to mend a finding with, and what the button says. */
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../app/studio/draft/blocks.js';
import { fixesOf } from '../app/studio/findings/fixes.js';

const form = {
  id: 'b2',
  blockType: 'requestVcDocumentBlock',
  tag: 'report',
  permissions: ['Producer', 'Reader'],
  presetFilds: [],
  childs: [{ blockType: 'buttonBlock', tag: 'send' }],
  events: [
    { source: 'report', target: 'root', output: 'RunEvent', input: 'RunEvent' },
    { source: 'report', target: 'rot', output: 'RunEvent', input: 'RunEvent', actor: 'owner' },
  ],
};
const config = {
  id: 'b1',
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  children: [form],
};
const policyGroups = [{ name: 'Makers', creator: 'Producr', members: ['Producer'] }];
const schemas = [
  {
    iri: '#a',
    name: 'A',
    document: { $id: '#a', properties: { site: { type: 'sting' } }, required: ['site', 'sight'] },
  },
];
const tokens = [{ tokenId: '0.0.1', tokenType: 'funjible' }];
const definition = { config, policyRoles: ['Producer'], policyGroups, schemas, tokens } as never;

const types = new Map([
  ['sendToGuardianBlock', { type: 'sendToGuardianBlock', title: 'Save', kind: 'server' }],
]) as never;

const fixes = (code: string, path: string, suggestions: readonly object[] = [], place: object = {}) =>
  fixesOf({ code, path, message: 'Wrong.', suggestions, ...place } as never, definition, blocksOf(config), types);

describe('a role that the policy does not have', () => {
  const at = '/children/0/permissions/1';
  const proposed = fixes('PERMISSION_UNKNOWN', at, [{ kind: 'value', at, value: 'Producer' }]);

  it('is replaced by what was meant, added, or taken away, and each button names the role', () => {
    expect(proposed.map(({ label }) => label)).toEqual([
      expect.stringContaining('Producer'),
      expect.stringContaining('Reader'),
      expect.stringContaining('Reader'),
    ]);
    expect(proposed.map(({ operations }) => operations)).toEqual([
      [{ op: 'setOption', block: 'b2', path: '/permissions/1', value: 'Producer' }],
      [{ op: 'addEntry', list: 'policyRoles', value: 'Reader' }],
      [{ op: 'unsetOption', block: 'b2', path: '/permissions/1' }],
    ]);
  });
});

it('a block that nobody can reach is opened to those of its parent', () => {
  const [fix] = fixes('PERMISSION_MISSING', '/children/0');
  expect(fix?.operations).toEqual([{ op: 'setOption', block: 'b2', path: '/permissions', value: ['ANY_ROLE'] }]);
});

it('nothing is proposed where the block is gone', () => {
  expect(fixes('PERMISSION_UNKNOWN', '/children/7/permissions/0')).toEqual([]);
});

describe('what a finding suggests is one click', () => {
  it('another name of a member keeps its value', () => {
    const at = '/children/0/presetFilds';
    const [fix] = fixes('OPTION_MISSPELT', at, [{ kind: 'name', at, name: 'presetFields' }]);
    expect(fix?.operations).toEqual([
      { op: 'unsetOption', block: 'b2', path: '/presetFilds' },
      { op: 'setOption', block: 'b2', path: '/presetFields', value: [] },
    ]);
  });

  it('blocks in a misspelt member become children', () => {
    const at = '/children/0/childs';
    const [fix] = fixes('OPTION_MISSPELT', at, [{ kind: 'name', at, name: 'children' }]);
    expect(fix?.operations).toEqual([
      { op: 'unsetOption', block: 'b2', path: '/childs' },
      { op: 'addBlock', parent: 'b2', block: { blockType: 'buttonBlock', tag: 'send' } },
    ]);
  });

  it('a link gets another end, and keeps its place and its actor', () => {
    const path = '/children/0/events/1';
    const [fix, other] = fixes('LINK_DANGLING', path, [{ kind: 'value', at: `${path}/target`, value: 'root' }]);
    expect(fix?.operations).toMatchObject([
      { op: 'disconnect', block: 'b2', index: 0, link: { target: 'rot' } },
      { op: 'connect', block: 'b2', index: 1, link: { target: 'root', source: 'report' } },
    ]);
    expect(other?.operations).toHaveLength(1);
  });

  it('an entry beside the blocks is changed where it is wrong', () => {
    const at = '/policyGroups/0/creator';
    const suggestions = [{ kind: 'value', at, value: 'Producer' }];
    const [fix] = fixes('ROLE_UNKNOWN', '', suggestions, { pointer: '/policyGroups/0' });
    expect(fix?.operations).toEqual([
      { op: 'setEntry', list: 'policyGroups', entry: 0, value: { ...policyGroups[0], creator: 'Producer' } },
    ]);
  });

  it('a token is changed where it is wrong', () => {
    const at = '/tokens/0/tokenType';
    const [fix] = fixes('TOKEN_UNREADABLE', '', [{ kind: 'value', at, value: 'fungible' }], { pointer: at });
    expect(fix?.operations).toEqual([
      { op: 'setEntry', list: 'tokens', entry: 0, value: { tokenId: '0.0.1', tokenType: 'fungible' } },
    ]);
  });

  it('a value in a schema is another, or goes, and the rest of the schema stays', () => {
    const suggestions = [
      { kind: 'value', schema: '#a', at: '/properties/site/type', value: 'string' },
      { kind: 'removal', schema: '#a', at: '/required/1' },
    ];
    const [typed, removed, ...others] = fixes('SCHEMA_INVALID', '/children/0/schema', suggestions);
    expect(others).toEqual([]);
    const [schema] = schemas;
    const document = { ...schema?.document, properties: { site: { type: 'string' } } };
    expect(typed?.operations).toEqual([
      { op: 'setEntry', list: 'schemas', entry: '#a', value: { ...schema, document } },
    ]);
    expect(removed?.label).toContain('sight');
    expect(removed?.operations).toMatchObject([{ entry: '#a', value: { document: { required: ['site'] } } }]);
  });

  it('nothing is proposed in a schema that the policy has from a tool', () => {
    const suggestions = [{ kind: 'removal', schema: '#elsewhere', at: '/required/1' }];
    expect(fixes('SCHEMA_DOUBTFUL', '/children/0/schema', suggestions)).toEqual([]);
  });

  it('a link too many is removed, and a missing block is put behind', () => {
    const [gone] = fixes('LINK_CIRCULAR', '/children/0/events', [{ kind: 'removal', at: '/children/0/events/1' }]);
    expect(gone?.label).toContain('rot');
    expect(gone?.operations).toMatchObject([{ op: 'disconnect', block: 'b2', link: { target: 'rot' } }]);
    const [behind] = fixes('DOCUMENT_UNSAVED', '/children/0', [
      { kind: 'block', at: '/children/0', blockType: 'sendToGuardianBlock', place: 'after' },
    ]);
    expect(behind?.operations).toMatchObject([
      { op: 'addBlock', parent: 'b1', index: 1, block: { blockType: 'sendToGuardianBlock' } },
    ]);
  });

  it('the first of several values come, and none twice', () => {
    const at = '/children/0/type';
    const suggestions = ['a', 'b', 'c', 'd', 'e'].map((value) => ({ kind: 'value', at, value }));
    expect(fixes('OPTIONS_INVALID', at, suggestions).map(({ label }) => label)).toHaveLength(4);
  });
});
