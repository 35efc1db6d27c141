/** The TypeScript project that ESLint takes types from: the whole tree or, where it looks at a few files, those and what they import. */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const whole = './tsconfig.lint.json';

/**
 * The path of the project for what the command line names. One of a few files is removed when the process ends.
 *
 * @param {string} root
 * @param {readonly string[]} args
 */
export function lintProject(root, args) {
  const named = args.map((arg) => ({ path: resolve(arg), stat: statSync(arg, { throwIfNoEntry: false }) }));
  if (named.some(({ path, stat }) => stat?.isDirectory() || path.includes('*'))) return whole;
  const files = named
    .filter(({ path, stat }) => stat?.isFile() && path.endsWith('.ts'))
    .map(({ path }) => path)
    .filter((path) => !relative(root, path).startsWith('packages/console/app/'));
  if (files.length === 0) return whole;
  // Below the root, where the compiler looks for `@types`; another ESLint may run beside this one.
  const folder = join(root, 'node_modules', '.cache', 'blockwork');
  const project = join(folder, `lint-${process.pid}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(project, JSON.stringify({ extends: join(root, whole), include: [], files }));
  process.once('exit', () => rmSync(project, { force: true }));
  return project;
}
