/** Which tests `npm run check` runs for a change, and what ESLint takes types from. */
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { lintProject } from '../../scripts/check/lint-project.mjs';
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

it('the types that ESLint needs come from the files that it looks at and what they import', () => {
  const [source, page] = ['packages/core/src/access/permission.ts', 'packages/console/app/main.tsx'];
  const project = lintProject(root, ['--max-warnings', '0', source, page, 'scripts/test.mjs']);
  onTestFinished(() => rmSync(project));
  expect(JSON.parse(readFileSync(project, 'utf8'))).toEqual({
    extends: `${root}tsconfig.lint.json`,
    include: [],
    files: [`${root}${source}`],
  });
});

it.each([[['.']], [['packages/core', 'vitest.config.ts']], [['test/**/*.ts']], [['scripts/test.mjs']], [[]]])(
  'the types that ESLint needs for %j come from the whole tree',
  (args) => {
    expect(lintProject(root, args)).toBe('./tsconfig.lint.json');
  },
);
