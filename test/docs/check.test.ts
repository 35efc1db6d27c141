/** Which tests `npm run check` runs for a change, and what ESLint takes types from. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withLintProject } from '../../scripts/check/lint-project.mjs';
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

it('the types that ESLint needs come from the changed files and what they import, not from the whole tree', async () => {
  const changed = ['packages/core/src/access/permission.ts', 'packages/console/app/main.tsx', 'scripts/test.mjs'];
  const project = await withLintProject(root, changed, async (path) => {
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      extends: `${root}tsconfig.lint.json`,
      include: [],
      files: [`${root}packages/core/src/access/permission.ts`],
    });
    return path;
  });
  expect(existsSync(project)).toBe(false);
});
