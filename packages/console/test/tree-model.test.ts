/** The rows of the block tree. */
import { describe, expect, it } from 'vitest';
import { blockNode, findNode, linksAt, rowsOf } from '../app/policy/tree/tree-model.js';

const root = blockNode({
  id: '1',
  blockType: 'interfaceContainerBlock',
  tag: 'root',
  permissions: ['ANY_ROLE'],
  children: [
    {
      id: '2',
      blockType: 'requestVcDocumentBlock',
      tag: 'report',
      permissions: ['Producer'],
      idType: 'UUID',
      events: [{ source: 'report', output: 'RunEvent', target: 'save', input: 'RunEvent' }],
    },
    { id: '3', blockType: 'sendToGuardianBlock', tag: 'save', disabled: true },
  ],
});

const tags = (collapsed: readonly string[], search = ''): string[] =>
  rowsOf(root, new Set(collapsed), search).map(({ node }) => node.tag);

describe('the rows of the tree', () => {
  it('are all blocks, each below its parent', () => {
    expect(rowsOf(root, new Set(), '').map(({ node, depth }) => [node.tag, depth])).toEqual([
      ['root', 0],
      ['report', 1],
      ['save', 1],
    ]);
  });

  it('leave out what is below a collapsed block', () => expect(tags(['1'])).toEqual(['root']));

  it('of a search are the blocks that match by tag or type, with the way to them, collapsed or not', () => {
    expect(tags(['1'], 'SAVE')).toEqual(['root', 'save']);
    expect(tags([], 'requestvc')).toEqual(['root', 'report']);
    expect(tags([], 'nothing')).toEqual([]);
  });
});

it('a block is found by its uuid at any depth', () => {
  expect(findNode(root, '3')?.tag).toBe('save');
  expect(findNode(root, '4')).toBeUndefined();
});

it('the links of a block are those that begin at its tag and those that end there', () => {
  expect(linksAt(root, 'report').outgoing.map(({ target }) => target)).toEqual(['save']);
  expect(linksAt(root, 'save').incoming.map(({ source }) => source)).toEqual(['report']);
  expect(linksAt(root, '')).toEqual({ incoming: [], outgoing: [] });
});

it('the options of a block are its configuration without children, links and what is shown elsewhere', () => {
  expect(findNode(root, '2')?.options).toEqual({ idType: 'UUID' });
});

it('a configuration that is no policy gives a block without anything', () => {
  expect(blockNode({ children: 'none', permissions: null })).toMatchObject({ children: [], permissions: [], tag: '' });
});
