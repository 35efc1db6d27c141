/** Which tests `npm run check` runs for a change. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testsBeside } from '../../scripts/check/tests-beside.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('the tests of a changed file are those in its folder, and those of its package that import it by name', async () => {
  expect(await testsBeside(root, ['packages/core/src/access/permission.ts'])).toEqual(
    expect.arrayContaining([expect.stringMatching(/^packages\/core\/src\/access\/.*\.test\.ts$/)]),
  );
  const beside = await testsBeside(root, ['packages/core/src/transactions/index.ts']);
  expect(beside).toContain('packages/core/src/transactions/executor.test.ts');
  expect(beside).not.toContain('packages/core/src/access/permission.test.ts');
});

it('a changed test is run itself, and a page has no tests', async () => {
  const test = 'packages/core/test/webhooks.test.ts';
  expect(await testsBeside(root, [test])).toEqual([test]);
  expect(await testsBeside(root, ['docs/cli.md'])).toEqual([]);
});
