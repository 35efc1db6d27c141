/** Addons whose `defaultActive` is false or missing: the author is told, before users are refused. */
import { createEngine } from '@blockwork/core';
import { expect, it, onTestFinished } from 'vitest';

const owner = { did: 'did:example:owner', role: 'STANDARD_REGISTRY' };
const permissions = ['ANY_ROLE'];

it.each([
  ['is missing', {}, true],
  ['is false', { defaultActive: false }, true],
  ['is true', { defaultActive: true }, false],
])('an addon whose defaultActive %s', async (_, state, isOff) => {
  const engine = createEngine();
  onTestFinished(() => engine.close());
  const grid = {
    blockType: 'interfaceDocumentsSourceBlock',
    tag: 'grid',
    permissions,
    defaultActive: true,
    children: [
      { blockType: 'documentsSourceAddon', tag: 'source', permissions },
      { blockType: 'paginationAddon', tag: 'paging', permissions, ...state },
    ],
  };
  const config = { blockType: 'interfaceContainerBlock', tag: 'root', permissions, children: [grid] };
  const { policy, findings } = await engine.importPolicy(owner, { name: 'Grid', config });
  const matches = findings.filter(({ code }) => code === 'ADDON_SWITCHED_OFF');
  expect(matches).toMatchObject(
    isOff ? [{ severity: 'warning', tag: 'paging', path: '/children/0/children/1/defaultActive' }] : [],
  );
  const read = engine.readBlock(owner, policy.id, { tag: 'paging' });
  if (isOff) await expect(read).rejects.toMatchObject({ code: 'BLOCK_NOT_ACTIVE' });
  else expect(await read).toMatchObject({ page: 0 });
});
