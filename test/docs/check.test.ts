/** Which tests `npm run check` runs for a change, what ESLint takes types from, and what it says of imports of tests. */
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leafImports } from '../../scripts/check/leaf-imports.mjs';
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

/** What is used of a linter. */
interface ImportLinter {
  verify(code: string, configs: readonly object[], path: string): { readonly messageId: string }[];
  verifyAndFix(code: string, configs: readonly object[], path: string): { readonly output: string };
}

describe('a test beside its unit', () => {
  /** As the workspace has them, for whose sources the rule is. */
  const workspace = createRequire(`${root}eslint.config.js`);
  const { Linter } = workspace('eslint') as { Linter: new (options: { cwd: string }) => ImportLinter };
  const { parser } = workspace('typescript-eslint') as { parser: object };
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser },
    plugins: { tests: { rules: { 'leaf-imports': leafImports } } },
    rules: { 'tests/leaf-imports': 'error' },
  };
  const imports = (code: string, path: string): { messageIds: string[]; fixed: string } => {
    const linter = new Linter({ cwd: root });
    const messageIds = linter.verify(code, [config], root + path).map(({ messageId }) => messageId);
    return { messageIds, fixed: linter.verifyAndFix(code, [config], root + path).output };
  };
  const test = 'packages/core/src/access/permission.test.ts';

  it.each(['@blockwork/core', '../index.js'])('imports the files that define what it needs, and not %s', (whole) => {
    const { messageIds, fixed } = imports(
      `import { createEngine, isBlockworkError as isKnown, type PolicyEngine } from '${whole}';`,
      test,
    );
    expect(messageIds).toEqual(['whole']);
    expect(fixed.split('\n')).toEqual([
      "import { createEngine } from '../engine/create-engine.js';",
      "import { isBlockworkError as isKnown } from '../errors.js';",
      "import type { PolicyEngine } from '../engine/engine.js';",
    ]);
  });

  it('is told of an import that cannot be divided', () => {
    const code = `import * as core from '@blockwork/core';`;
    expect(imports(code, test)).toEqual({ messageIds: ['whole'], fixed: code });
  });

  it.each([
    ['other packages', `import { block } from '@blockwork/testing';`, test],
    ['the entry of its own room', `import { createEngine } from './index.js';`, 'packages/core/src/engine/x.test.ts'],
    ['a part of its package', `import { defineBlock } from '@blockwork/core/block';`, test],
  ])('may import %s', (_, code, path) => {
    expect(imports(code, path)).toEqual({ messageIds: [], fixed: code });
  });
});
