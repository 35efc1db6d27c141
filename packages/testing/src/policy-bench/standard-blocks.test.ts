import { standardBlocks } from '@blockwork/blocks';
import { expect, test } from 'vitest';
import { loadStandardBlocks } from './bench-engine.js';

/** As Node reports a package that is not installed. */
const missing = (name: string, importer: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from ${importer}`), { code: 'ERR_MODULE_NOT_FOUND' });

test('the standard blocks are those of the installed package', async () => {
  const types = (await loadStandardBlocks()).map(({ type }) => type);
  expect(types).toEqual(standardBlocks().map(({ type }) => type));
  expect(types).toContain('requestVcDocumentBlock');
});

test('all benches have the same ones, and so the same threads', async () => {
  expect(await loadStandardBlocks()).toBe(await loadStandardBlocks());
});

test('without the package the error says what to install, and keeps its cause', async () => {
  const cause = missing('@blockwork/blocks', '/app/node_modules/@blockwork/testing/dist/standard-blocks.js');
  const failure = await loadStandardBlocks(() => Promise.reject(cause)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ cause });
  expect(String(failure)).toContain('Add @blockwork/blocks to the devDependencies');
});

test('a package that the standard blocks miss is reported as it is', async () => {
  const cause = missing('mathjs', '/app/node_modules/@blockwork/blocks/dist/index.js');
  await expect(loadStandardBlocks(() => Promise.reject(cause))).rejects.toBe(cause);
});
