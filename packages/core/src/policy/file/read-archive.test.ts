import { expect, test } from 'vitest';
import { archive, countingIds, policyJson, refusal, written } from '../../../test/policy-fixtures.js';
import { readArchive } from './read-archive.js';
import { readPolicyJson } from './read-json.js';

const read = (files: Record<string, unknown>, limits = {}) =>
  readArchive(archive(files), { ids: countingIds(), limits });
const codes = (bundle: ReturnType<typeof read>) => bundle.findings.map(({ code }) => code);

test('an archive gives its blocks, facts, schemas, tokens and files', () => {
  const bundle = read({
    'policy.json': policyJson(undefined, {
      uuid: 'e4f1b4a2-0f62-4f0b-93ce-7c1ad2b6f901',
      version: '1.2.0',
      creator: 'did:x',
    }),
    'schemas/#1a&1.0.0.json': {
      iri: '#1a&1.0.0',
      name: ' Report ',
      entity: 'VC',
      status: 'PUBLISHED',
      document: { $id: '#1a' },
      context: {},
    },
    'tokens/CO2 (Template) .json': { tokenId: '0.0.7', tokenName: 'CO2', tokenSymbol: 'C', decimals: '2' },
    'artifacts/metadata.json': [{ name: 'table', uuid: 'f1', extention: 'json' }],
    'artifacts/f1': new Uint8Array([1, 2, 3]),
  });
  expect(bundle.about).toMatchObject({
    name: 'Test policy',
    version: '1.2.0',
    policyRoles: ['Installer'],
    extra: { creator: 'did:x' },
  });
  expect(bundle.config).toMatchObject({ blockType: 'interfaceContainerBlock', permissions: ['ANY_ROLE'] });
  expect(bundle.schemas).toMatchObject([
    {
      id: '#1a&1.0.0',
      name: ' Report ',
      entity: 'VC',
      status: 'PUBLISHED',
      document: { $id: '#1a' },
      source: { context: {} },
    },
  ]);
  expect(bundle.tokens).toMatchObject([{ id: '0.0.7', tokenName: 'CO2', tokenSymbol: 'C', source: { decimals: '2' } }]);
  expect(bundle.artifacts).toEqual([{ id: 'f1', name: 'table', extension: 'json', content: 'AQID' }]);
  expect(bundle.findings).toEqual([]);
});

test('schemas may lie in "schemes/", and hold document and context as text', () => {
  const { schemas, findings } = read({
    'policy.json': policyJson(),
    'schemes/#2b.json': { iri: '#2b', document: '{"type":"object"}', context: '{"@context":{}}' },
  });
  expect(schemas).toMatchObject([{ id: '#2b', document: { type: 'object' }, source: { context: { '@context': {} } } }]);
  expect(findings).toEqual([]);
});

test('schemas, tokens and lists that cannot be read are findings, and the rest is there', () => {
  const bundle = read({
    'policy.json': policyJson(),
    'schemas/a.json': 'no json',
    'schemas/b.json': { iri: '#b', document: '{"broken', context: {} },
    'schemas/c.json': { iri: '#b', document: {} },
    'schemas/d.json': `{"iri":"#d","document":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    'schemas/e.json': { iri: '#e', document: '['.repeat(5000) + ']'.repeat(5000) },
    'tokens/a.json': '[]',
    'tokens/b.json': { tokenName: 'no id' },
    'artifacts/metadata.json': '{',
    'artifacts/x': 'x',
  });
  expect(bundle.schemas.map(({ id, document }) => [id, document])).toEqual([
    ['#b', null],
    ['#e', null],
  ]);
  expect(bundle.schemas[0]?.source['document']).toBe('{"broken');
  expect(bundle.artifacts).toMatchObject([{ id: 'x', name: 'x' }]);
  expect(codes(bundle).filter((code) => code === 'SCHEMA_UNREADABLE')).toHaveLength(5);
  expect(codes(bundle).filter((code) => code === 'TOKEN_UNREADABLE')).toHaveLength(2);
  expect(codes(bundle).filter((code) => code === 'FILE_IGNORED')).toHaveLength(1);
  for (const { message } of bundle.findings) expect(message).toMatch(/(schemas|tokens|artifacts)\//);
});

test('files that the engine has no use for are one finding for each folder', () => {
  const { findings } = read({
    'policy.json': policyJson(),
    'tools/a.json': '{}',
    'tags/0.json': '{}',
    'tags/1.json': '{}',
    '.DS_Store': 'x',
  });
  expect(findings.map(({ message }) => message)).toEqual([
    'This engine keeps 1 file in tools/ in the archive for exports, and makes no use of it.',
    'This engine keeps 2 files in tags/ in the archive for exports, and makes no use of it.',
    'This engine ignores .DS_Store in the archive.',
  ]);
});

test('a file that the list of artifacts names but the archive lacks is a finding', () => {
  const { findings } = read({ 'policy.json': policyJson(), 'artifacts/metadata.json': [{ uuid: 'gone' }, 7] });
  expect(findings.map(({ message }) => message).join()).toContain('artifacts/gone');
  expect(findings).toHaveLength(2);
});

test.each([
  ['without a policy.json', { 'other.json': '{}' }, 'has no policy.json'],
  ['whose policy.json lies in a folder', { 'my policy/policy.json': policyJson() }, 'has no policy.json'],
  ['whose policy.json is no JSON', { 'policy.json': '{"name": ' }, 'policy.json is not JSON'],
  ['whose policy.json is empty', { 'policy.json': '' }, 'policy.json is not JSON'],
  ['whose policy.json is no text', { 'policy.json': new Uint8Array([0x22, 0xff, 0x22]) }, 'policy.json is not UTF-8'],
  ['whose policy.json is a list', { 'policy.json': [] }, 'policy.json holds a list'],
  ['without blocks', { 'policy.json': { name: 'x' } }, 'policy.json has no config'],
])('an archive %s is refused', (_, files, reason) => {
  expect(refusal(() => read(files), 'POLICY_FILE_INVALID')).toContain(reason);
});

test('a module is read as a policy around it, in which each variable stands for itself', () => {
  const config = written(
    'module',
    'M',
    {
      permissions: [],
      variables: [
        { name: 'Seller', type: 'Role' },
        { name: 'Deals', type: 'Topic' },
        { name: 'Form', type: 'Schema' },
      ],
    },
    written('leaf', 'inner', { permissions: ['Seller', 'Buyer', 'OWNER'] }),
  );
  const bundle = read({
    'module.json': { name: 'Selling', description: 'A module', config },
    'schemas/#1.json': { iri: '#1', document: {} },
  });
  expect(bundle.about).toMatchObject({
    name: 'Selling',
    policyRoles: ['Seller', 'Buyer'],
    policyTopics: [{ name: 'Deals' }],
  });
  expect(bundle.config.children).toMatchObject([
    { blockType: 'policyRolesBlock', roles: ['Seller', 'Buyer'] },
    { blockType: 'module', tag: 'M', permissions: ['ANY_ROLE'], children: [{ tag: 'inner' }] },
  ]);
  expect(bundle.schemas).toMatchObject([{ id: '#1' }]);
});

test('what the variables of a module carry is in the policy around it, in place of their names', () => {
  const variables = [
    { name: 'Role', type: 'Role' },
    { name: 'Anybody', type: 'Role' },
    { name: 'receivingTopic', type: 'Topic' },
    { name: 'otherTopic', type: 'Topic', value: 'Project' },
    { name: 'team', type: 'Group' },
    { name: 'crew', type: 'Group' },
    { name: 'coin', type: 'TokenTemplate' },
  ];
  const values = { Role: 'Participant', Anybody: 'ANY_ROLE', receivingTopic: 'Project', team: 'Farmers', coin: 'CER' };
  const child = written('leaf', 'inner', { permissions: ['Role', 'Buyer', 'Anybody'] });
  const { about, config } = read({
    'module.json': { name: 'Carrying', config: written('module', 'M', { variables, ...values }, child) },
  });
  expect(about).toMatchObject({
    policyRoles: ['Participant', 'Buyer'],
    policyTopics: [{ name: 'Project' }],
    policyGroups: [{ name: 'Farmers' }, { name: 'crew' }],
    policyTokens: [{ templateTokenTag: 'CER' }],
  });
  expect(config.children[0]).toMatchObject({ blockType: 'policyRolesBlock', roles: ['Participant', 'Buyer'] });
});

test.each([
  ['is no object', 7, 'module.json holds 7'],
  ['holds no module', { config: written('tool', 'T') }, 'is not a module'],
])('a module file that %s is refused', (_, module, reason) => {
  expect(refusal(() => read({ 'module.json': module }), 'POLICY_FILE_INVALID')).toContain(reason);
});

test('a byte order mark is no part of the JSON', () => {
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(JSON.stringify(policyJson()))]);
  expect(read({ 'policy.json': marked }).about.name).toBe('Test policy');
});

test('blocks 10,000 levels deep are refused before they are parsed', () => {
  // It never ends, so a parser would report of that.
  const deep = '{"config":' + '{"blockType":"a","children":['.repeat(10_000);
  expect(refusal(() => read({ 'policy.json': deep }), 'POLICY_FILE_TOO_LARGE')).toContain(
    'deeper than the limit of 256',
  );
});

test('brackets inside text are no nesting', () => {
  const name = `${'[{'.repeat(500)} \\" "\\`;
  expect(read({ 'policy.json': policyJson(undefined, { name }) }).about.name).toBe(name);
});

test('dependencies become links that refresh the block', () => {
  const { config, findings } = read({
    'policy.json': policyJson(
      written(
        'interfaceContainerBlock',
        '',
        {},
        written('send', 'save'),
        written('grid', 'list', { dependencies: ['save', 'gone'] }),
      ),
    ),
  });
  expect(config.children[1]).toMatchObject({
    dependencies: [],
    events: [
      { source: 'save', target: 'list', output: 'RefreshEvent', input: 'RefreshEvent', actor: '', disabled: false },
    ],
  });
  expect(findings).toMatchObject([
    { code: 'DEPENDENCY_UNKNOWN', path: '/children/1/dependencies/1', tag: 'list' },
    { code: 'MIGRATED', path: '/children/1', tag: 'list' },
  ]);
});

test.each([
  ['/__proto__', '{"__proto__":{"polluted":1},"config":{"blockType":"a"}}'],
  ['/config/children/0/__proto__', '{"config":{"blockType":"a","children":[{"blockType":"b","__proto__":null}]}}'],
  ['/config/__proto__', String.raw`{"config":{"blockType":"a","\u005f_proto\u005F_":{"tag":"x"}}}`],
  ['/constructor', '{"constructor":{"prototype":{"polluted":1}},"config":{"blockType":"a"}}'],
])('a member that would change a prototype is refused, as in a body: %s', (path, json) => {
  const refused = expect.objectContaining({
    code: 'POLICY_FILE_INVALID',
    details: [expect.objectContaining({ path })],
  });
  expect(() => read({ 'policy.json': json })).toThrow(refused);
  expect(() => readPolicyJson(JSON.parse(json), { ids: countingIds() })).toThrow(refused);
});

test('names of prototype members are names like any other', () => {
  const json = '{"config":{"blockType":"a","constructor":"ACME","prototype":{"toString":1},"text":"__proto__"}}';
  expect(read({ 'policy.json': json }).config).toMatchObject({ constructor: 'ACME', text: '__proto__' });
});

test('the schemas and tokens that a hand-written policy.json lists are read, beside those of the archive', () => {
  const schema = (iri: string) => ({ iri, name: iri, document: { $id: iri, type: 'object', properties: {} } });
  const token = (tokenId: string) => ({ tokenId, tokenName: tokenId, tokenSymbol: 'T', decimals: '0' });
  const bundle = read({
    'policy.json': {
      name: 'By hand',
      config: { blockType: 'interfaceContainerBlock' },
      schemas: [schema('#a')],
      tokens: [token('0.0.1')],
    },
    'schemas/b.json': schema('#b'),
  });
  expect(bundle.schemas.map(({ id }) => id).sort()).toEqual(['#a', '#b']);
  expect(bundle.tokens.map(({ id }) => id)).toEqual(['0.0.1']);
});
