/** The tests that are about a changed file: beside it, or of a file that is imported by name. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';

const isTest = (path) => path.endsWith('.test.ts');

/** Paths from the root. A test that reaches a file through others only is left to `npm test`. */
export async function testsBeside(root, changed) {
  const tests = new Set(changed.filter(isTest));
  for (const file of changed.filter((path) => !isTest(path))) {
    const folder = dirname(file);
    for (const name of await namesIn(join(root, folder))) if (isTest(name)) tests.add(posix.join(folder, name));
    const [packages, owner] = file.split('/');
    if (packages !== 'packages' || owner === undefined) continue;
    for (const test of await testsBelow(root, `packages/${owner}/test`)) {
      if (await importsFile(join(root, test), file)) tests.add(test);
    }
  }
  return [...tests].sort();
}

const namesIn = (folder) => readdir(folder).catch(() => []);

async function testsBelow(root, folder) {
  const entries = await readdir(join(root, folder), { recursive: true }).catch(() => []);
  return entries.filter(isTest).map((path) => posix.join(folder, path.replaceAll('\\', '/')));
}

async function importsFile(test, file) {
  const text = await readFile(test, 'utf8');
  return text.includes(`/${basename(file).replace(/\.tsx?$/, '.js')}'`);
}
