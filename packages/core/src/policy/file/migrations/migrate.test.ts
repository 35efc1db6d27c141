import { expect, test } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { countingIds, link, source } from '../../../../test/policy-fixtures.js';
import { atOnce } from '../../../loop-share.js';
import type { BlockSource } from '../../../records/index.js';
import type { Finding } from '../../model/policy-model.js';
import { migrating } from './migrate.js';

function migrated(root: BlockSource, written: unknown, dependenciesRefresh = false) {
  const findings: Finding[] = [];
  const version = atOnce(migrating(root, { written, dependenciesRefresh, ids: countingIds(), findings }));
  return { version, findings, codes: findings.map(({ code }) => code) };
}

test('versions are compared by number: 1.10.0 is newer than 1.5.1', () => {
  const block = source('interfaceActionBlock', 'act', { type: 'selector' });
  const { version, codes } = migrated(block, '1.10.0');
  expect(version).toBe('1.10.0');
  expect(codes).toEqual(['RECORD_FIELD_INVALID']);
  expect(block.blockType).toBe('interfaceActionBlock');
});

test('a policy of the newest version is left alone', () => {
  const block = source('mintDocument', 'm');
  const before = structuredClone(block);
  expect(migrated(block, '1.5.1')).toEqual({ version: '1.5.1', findings: [], codes: [] });
  expect(block).toEqual(before);
});

test.each(['abc', 15, '1.x', {}])(
  'the codeVersion %j is no version: a finding, and every step is applied',
  (written) => {
    const block = source('mintDocument', 'm');
    const { version, codes } = migrated(block, written);
    expect(version).toBe('1.5.1');
    expect(codes).toEqual(['RECORD_FIELD_INVALID', 'MIGRATED', 'MIGRATED']);
    expect(block).toMatchObject({ blockType: 'mintDocumentBlock', accountType: 'default' });
  },
);

test('before 1.0.0 block types had other names', () => {
  const root = source('interfaceContainerBlock', '', {}, source('wipeDocument', 'w'), source('requestVcDocument', 'r'));
  migrated(root, '0.9');
  expect(root.children.map(({ blockType }) => blockType)).toEqual([
    'retirementDocumentBlock',
    'requestVcDocumentBlock',
  ]);
});

test('before 1.1.0 options, dropdowns, conditions and timers led on without links', () => {
  const root = source(
    'interfaceContainerBlock',
    '',
    {},
    source('interfaceActionBlock', 'choose', {
      type: 'selector',
      uiMetaData: {
        options: [{ bindBlock: 'a', user: 'current' }, { tag: 'No', bindBlock: 'b' }, { name: 'leads nowhere' }],
      },
    }),
    source('interfaceActionBlock', 'drop', { type: 'dropdown', bindBlock: 'a' }),
    source('switchBlock', 'switch', {
      conditions: [
        { bindBlock: 'a', actor: 'owner' },
        { tag: 'Else', target: 'b' },
      ],
    }),
    source('aggregateDocumentBlock', 'sum', { timer: 'clock' }),
  );
  migrated(root, '1.0.0');
  expect(root.children.map(({ events }) => events)).toEqual([
    [link('choose', 'Option_0', 'a', 'RunEvent'), link('choose', 'No', 'b', 'RunEvent', { actor: 'owner' })],
    [link('drop', 'DropdownEvent', 'a', 'RunEvent')],
    [link('switch', 'Condition_0', 'a', 'RunEvent', { actor: 'owner' }), link('switch', 'Else', 'b', 'RunEvent')],
    [link('clock', 'TimerEvent', 'sum', 'TimerEvent')],
  ]);
});

test('a link that is there already is not added, even when it is disabled', () => {
  const existing = link('drop', 'DropdownEvent', 'a', 'RunEvent', { disabled: true, actor: 'owner' });
  const block = source('interfaceActionBlock', 'drop', { type: 'dropdown', bindBlock: 'a', events: [existing] });
  expect(migrated(block, '1.0.0').findings).toEqual([]);
  expect(block.events).toEqual([existing]);
});

test('before 1.2.0 a selector was an action; now it is a block of buttons', () => {
  const options = [{ tag: 'Option_0', name: 'Approve', value: 'Approved', uiClass: 'btn', bindBlock: 'save' }];
  const block = source('interfaceActionBlock', 'choose', {
    type: 'selector',
    field: 'option.status',
    uiMetaData: { title: 'T', options },
  });
  migrated(block, '1.1.0');
  expect(block.blockType).toBe('buttonBlock');
  expect(block.uiMetaData).toEqual({
    title: 'T',
    options,
    buttons: [
      {
        tag: 'Option_0',
        name: 'Approve',
        type: 'selector',
        filters: [],
        field: 'option.status',
        value: 'Approved',
        uiClass: 'btn',
      },
    ],
  });
});

test('before 1.3.0 minting did not say whose account it meant', () => {
  const root = source('mintDocumentBlock', 'm', {}, source('mintDocumentBlock', 'n', { accountType: 'custom' }));
  migrated(root, '1.2.0');
  expect([root['accountType'], root.children[0]?.['accountType']]).toEqual(['default', 'custom']);
});

test('before 1.5.0 a source asked for the history; now a block of its own shows it, and is active', () => {
  const asking = source('documentsSourceAddon', 'all', { viewHistory: true });
  const grid = source(
    'interfaceDocumentsSourceBlock',
    'grid',
    {},
    asking,
    source('documentsSourceAddon', 'own', { viewHistory: false }),
  );
  const other = source(
    'interfaceDocumentsSourceBlock',
    'other',
    {},
    source('documentsSourceAddon', 'x', { viewHistory: false }),
  );
  const historySource = source('informationBlock', 'grid_history');
  const { codes } = migrated(source('interfaceContainerBlock', '', {}, grid, other, historySource), '1.4.0');
  expect(grid.children).toHaveLength(3);
  expect(grid.children[2]).toMatchObject({
    blockType: 'historyAddon',
    tag: 'grid_history_2',
    permissions: ['ANY_ROLE'],
    defaultActive: true,
  });
  expect(grid.children.some((child) => 'viewHistory' in child)).toBe(false);
  expect(other.children).toHaveLength(1);
  expect(codes).toEqual(['MIGRATED']);
});

test('before 1.5.1 grids had columns for blocks that revoke', () => {
  const fields = [{ name: 'a' }, { name: 'b', bindBlock: 'revoke' }, { name: 'c', bindBlock: 'other' }];
  const grid = source('interfaceDocumentsSourceBlock', 'grid', { uiMetaData: { fields } });
  migrated(source('interfaceContainerBlock', '', {}, source('revokeBlock', 'revoke'), grid), '1.5.0');
  expect(grid.uiMetaData['fields']).toEqual([fields[0], fields[2]]);
});

test('dependencies in the sense of the reference become links, in every version, unless those links are there', () => {
  const there = link('save', 'RefreshEvent', 'list', 'RefreshEvent');
  const list = source('interfaceDocumentsSourceBlock', 'list', { dependencies: ['save', 'send', 'gone', 'send'] });
  const root = source(
    'interfaceContainerBlock',
    '',
    { dependencies: ['save'] },
    source('sendToGuardianBlock', 'save', { events: [there] }),
    source('sendToGuardianBlock', 'send'),
    list,
  );
  const { findings } = migrated(root, '1.5.1', true);
  expect(list.events).toEqual([link('send', 'RefreshEvent', 'list', 'RefreshEvent')]);
  expect(list.dependencies).toEqual([]);
  expect(root.dependencies).toEqual([]);
  expect(findings).toMatchObject([
    { code: 'DEPENDENCY_UNKNOWN', path: '/dependencies/0' },
    { code: 'DEPENDENCY_UNKNOWN', path: '/children/2/dependencies/2', tag: 'list' },
    { code: 'MIGRATED', path: '/children/2', tag: 'list' },
  ]);
});

test('a block with very many options is migrated in time that grows with their number', () => {
  const migratingOptions = (size: number) => {
    const options = Array.from({ length: size }, () => ({ bindBlock: 'a' }));
    const block = source('interfaceActionBlock', 'choose', { type: 'selector', uiMetaData: { options } });
    return () => {
      migrated(block, '1.0.0');
      expect(block.events).toHaveLength(size);
    };
  };
  expect(growth(migratingOptions, 1000)).toBeLessThan(32);
});
