/** The TypeScript project that ESLint takes types from during a check: the files it looks at and what they import, not the whole tree. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Calls `lint` with the path of a project of these files, paths from the root, and removes the project afterwards.
 *
 * @template T
 * @param {string} root
 * @param {readonly string[]} files
 * @param {(project: string) => Promise<T>} lint
 */
export async function withLintProject(root, files, lint) {
  // Below the root, where the compiler looks for `@types`; another check may run beside this one.
  const folder = join(root, 'node_modules', '.cache', 'blockwork');
  const project = join(folder, `lint-${process.pid}.json`);
  await mkdir(folder, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.startsWith('packages/console/app/'));
  const config = {
    extends: join(root, 'tsconfig.lint.json'),
    include: [],
    files: sources.map((file) => join(root, file)),
  };
  await writeFile(project, JSON.stringify(config));
  try {
    return await lint(project);
  } finally {
    await rm(project, { force: true });
  }
}
