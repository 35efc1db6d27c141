/**
 * `npm run check`: format, lint and types of what changed since the last commit, and the tests beside it. Side by side, so that it
 * takes as long as the longest of them. `npm run check -- --staged` looks at what is staged, for a commit hook.
 */
import { existsSync } from 'node:fs';
import { install } from '../install.mjs';
import { capture, main, root } from '../run.mjs';
import { testsBeside } from './tests-beside.mjs';

const node = (path, args, options) => capture(process.execPath, [`${root}node_modules/${path}`, ...args], options);

const lines = (text) => text.split('\n').filter((line) => line !== '');

async function git(...args) {
  const { code, stdout, output } = await capture('git', args);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
  return lines(stdout);
}

/** Paths from the root of the workspace, without what was deleted. */
async function changedFiles(isStaged) {
  const changed = isStaged
    ? await git('diff', '--name-only', '--cached')
    : [...(await git('diff', '--name-only', 'HEAD')), ...(await git('ls-files', '--others', '--exclude-standard'))];
  return [...new Set(changed)].filter((path) => existsSync(root + path));
}

/** Runs a step and prints how long it took, and what it said if it failed. */
async function reported(title, step) {
  const began = performance.now();
  const { code, output } = await step();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${title} (${seconds} s)`);
  if (code !== 0) process.stdout.write(`\n${output.trimEnd()}\n\n`);
  return code === 0;
}

await main(async (args) => {
  await install();
  const changed = await changedFiles(args.includes('--staged'));
  if (changed.length === 0) {
    console.log('Nothing changed since the last commit.');
    return 0;
  }
  const linted = changed.filter((path) => /\.(?:ts|tsx|js|mjs|cjs)$/.test(path));
  const tests = await testsBeside(root, linted);
  const compiler = 'typescript-native/bin/tsc';
  const steps = [
    ['format', () => node('prettier/bin/prettier.cjs', ['--check', '--ignore-unknown', ...changed])],
    [
      'types',
      async () => {
        for (const project of [['-b'], ['-p', 'tsconfig.tests.json'], ['-p', 'packages/console/app']]) {
          const checked = await node(compiler, [...project, '--pretty']);
          if (checked.code !== 0) return checked;
        }
        return { code: 0, output: '' };
      },
    ],
  ];
  if (linted.length > 0) steps.push(['lint', () => node('eslint/bin/eslint.js', ['--max-warnings', '0', ...linted])]);
  const title = tests.length === 1 ? '1 file of tests' : `${tests.length} files of tests`;
  if (tests.length > 0) steps.push([title, () => node('vitest/vitest.mjs', ['run', ...tests])]);
  const passed = await Promise.all(steps.map(([name, step]) => reported(name, step)));
  return passed.every(Boolean) ? 0 : 1;
});
