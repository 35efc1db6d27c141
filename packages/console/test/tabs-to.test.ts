/** The tabs on the way to a block. */
import { expect, it } from 'vitest';
import { tabsTo } from '../app/page/tabs-to.js';

const tabs = (id: string, ...children: object[]): object => ({ id, uiMetaData: { type: 'tabs' }, children });
const plain = (id: string, ...children: object[]): object => ({ id, children });

const root = plain(
  'root',
  { id: 'roles', uiMetaData: null },
  tabs(
    'registry',
    plain('history', { id: 'grid' }),
    plain('proof', tabs('chains', { id: 'first' }, plain('second', { id: 'report' }))),
  ),
) as Readonly<Record<string, unknown>>;

it('are opened in each container that has some, the outer ones first', () => {
  expect(tabsTo(root, 'report')).toEqual({ 'registry.tab': 'proof', 'chains.tab': 'second' });
  expect(Object.keys(tabsTo(root, 'report') ?? {})).toEqual(['registry.tab', 'chains.tab']);
  expect(tabsTo(root, 'grid')).toEqual({ 'registry.tab': 'history' });
});

it('are none for a block that is in no tab, and for one that there is not', () => {
  expect(tabsTo(root, 'roles')).toEqual({});
  expect(tabsTo(root, 'root')).toEqual({});
  expect(tabsTo(root, 'elsewhere')).toBeNull();
});
