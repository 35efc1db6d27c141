/** What the code editor proposes while a policy is written as JSON, and what it says of a word. */
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../app/studio/draft/blocks.js';
import { meaningAt, proposalsAt, type Proposals } from '../app/studio/code/completions.js';

const config = {
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  children: [{ blockType: 'buttonBlock', tag: 'decide', children: [] }],
};
const type = (name: string, title: string, options: object, outputs: string[] = ['RunEvent']) =>
  [
    name,
    { type: name, title, description: `About ${title}.`, options, outputs, inputs: ['RunEvent', 'RefreshEvent'] },
  ] as const;
const types = new Map([
  type('interfaceContainerBlock', 'Container', { properties: {} }),
  type(
    'documentsSourceAddon',
    'Documents',
    {
      properties: {
        dataType: { enum: ['vc-documents', 'approve', '', null], description: 'The collection.' },
        schema: { type: 'string', description: 'IRI of the schema.' },
        hidden: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        filters: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/filter' } }, { type: 'null' }] },
        left: { deprecated: true },
      },
      $defs: { filter: { type: 'object', properties: { type: { enum: ['equal', 'in'] }, field: { type: 'string' } } } },
    },
    ['RunEvent', 'ReleaseEvent'],
  ),
]);
const definition = {
  name: 'Sun',
  policyRoles: ['Producer'],
  schemas: [{ iri: '#report', name: 'Report' }],
  tokens: [],
  policyTokens: [],
  config,
};
const parts = { definition, blocks: blocksOf(config), types } as never;

/** At the bar in the text. */
const at = (marked: string): Proposals | undefined => proposalsAt(marked.replace('|', ''), marked.indexOf('|'), parts);
const labels = (marked: string): string[] => (at(marked)?.proposals ?? []).map(({ label }) => label);
const inSource = (members: string): string =>
  `{"name": "Sun", "config": {"blockType": "interfaceContainerBlock", "children": [{"blockType": "documentsSourceAddon", ${members}}]}}`;

describe('as the name of a member', () => {
  it('a policy has those of a policy that it does not have yet', () => {
    expect(labels('{"name": "Sun", |"config": {}}')).toEqual(['policyRoles', 'schemas', 'tokens', 'policyTokens']);
    expect(labels('{"policy|')).toContain('policyRoles');
  });

  it('a block has the options of its type and what every block has', () => {
    const names = labels(inSource('"|": 1'));
    expect(names).toEqual(expect.arrayContaining(['tag', 'permissions', 'dataType', 'filters']));
    for (const absent of ['left', 'blockType', 'output']) expect(names).not.toContain(absent);
  });

  it('its type may come after it', () => {
    const text =
      '{"config": {"blockType": "interfaceContainerBlock", "children": [{"d|": 1, "blockType": "documentsSourceAddon"}]}}';
    expect(labels(text)).toContain('dataType');
  });

  it('what follows it may lack a comma', () => {
    expect(labels('{"config": {"children": [], "d|"\n "blockType": "documentsSourceAddon"}}')).toContain('dataType');
  });

  it('a block without a type has what every block has', () => {
    expect(labels('{"config": {"blockType": "interfaceContainerBlock", "children": [{"|')).toContain('blockType');
  });

  it('an option has its members, behind references and alternatives', () => {
    expect(labels(inSource('"filters": [{"type": "in", "|"}]'))).toEqual(['field']);
    expect(labels(inSource('"events": [{"|"}]'))).toEqual(['source', 'output', 'target', 'input', 'actor']);
  });
});

describe('as a value', () => {
  it.each([
    ['types of blocks', '"children": [{"blockType": "|"}]', 'documentsSourceAddon'],
    ['listed values', '"dataType": |', 'vc-documents'],
    ['true and false', '"hidden": |', 'true'],
    ['a list’s members’ values', '"filters": [{"type": "|"}]', 'equal'],
    ['roles', '"permissions": ["|"]', 'Producer'],
    ['roles that every policy has', '"permissions": ["|"]', 'OWNER'],
    ['schemas by their IRI', '"schema": "|"', '#report'],
    ['tags', '"dependencies": [|]', 'decide'],
    ['targets of links', '"events": [{"target": "|"}]', 'decide'],
    ['outputs of the type', '"events": [{"output": |}]', 'ReleaseEvent'],
    ['inputs', '"events": [{"input": "R|"}]', 'RefreshEvent'],
  ])('%s', (_what, members, label) => {
    expect(labels(inSource(members))).toContain(label);
  });

  it('nothing where nothing is listed, and no blank or null', () => {
    expect(at(inSource('"tag": "|"'))).toBeUndefined();
    expect(at('|')).toBeUndefined();
    expect(labels(inSource('"dataType": |'))).toEqual(['vc-documents', 'approve']);
  });

  it('the word is replaced with its quotes', () => {
    const text = inSource('"dataType": "vc|-doc"');
    const { from, to } = at(text) ?? { from: 0, to: 0 };
    expect(text.replace('|', '').slice(from, to)).toBe('"vc-doc"');
  });
});

describe('of a word', () => {
  const describedAs = (marked: string): string => {
    const meaning = meaningAt(marked.replace('|', ''), marked.indexOf('|'), parts);
    return `${meaning?.detail ?? ''} ${meaning?.description ?? ''}`.trim();
  };

  it.each([
    ['a type', '"children": [{"blockType": "interface|ContainerBlock"}]', 'Container About Container.'],
    ['an option', '"data|Type": "approve"', 'The collection.'],
    ['a schema', '"schema": "#re|port"', 'Report'],
    ['a role that every policy has', '"permissions": ["ANY|_ROLE"]', 'Anybody'],
    ['a word of the author', '"tag": "my|self"', ''],
  ])('it says what %s means', (_what, members, expected) => {
    expect(describedAs(inSource(members))).toBe(expected);
  });
});
