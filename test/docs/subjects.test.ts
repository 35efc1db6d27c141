/** The subjects that `npm test` leaves to commands of their own: each has tests, a command, and a place where it is told. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exclusions, leftOut, leftTo, subjects, testsOf } from '../../scripts/vitest/subjects.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const names = Object.keys(subjects);
const paths = Object.values(subjects).flatMap((subject) => subject.paths);

it('every path of a subject has tests, and belongs to one subject', async () => {
  for (const path of paths) {
    expect(existsSync(`${root}${path}`), path).toBe(true);
    expect(statSync(`${root}${path}`).isDirectory(), path).toBe(path.endsWith('/'));
    if (!path.endsWith('/')) expect(path).toMatch(/\.test\.ts$/);
    else
      expect(
        (await readdir(`${root}${path}`)).filter((name) => name.endsWith('.test.ts')),
        path,
      ).not.toEqual([]);
    expect(
      paths.filter((other) => path.startsWith(other)),
      path,
    ).toEqual([path]);
  }
});

it('every subject has a command of its own, which pages tell of', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of names) {
    expect(scripts[`test:${name}`]).toBe(`node scripts/test.mjs --subject ${name}`);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/debugging.md']) {
      expect(read(page), page).toContain(`npm run test:${name}`);
    }
    expect(leftTo([name])).toContain(`npm run test:${name}`);
  }
});

it('a run leaves subjects out only if it is asked for no tests, and never where it is told to try them', () => {
  expect(leftOut([], undefined)).toEqual(names);
  expect(leftOut(['packages/core'], undefined)).toEqual([]);
  for (const extent of ['subjects', 'all']) expect(leftOut([], extent)).toEqual([]);
  expect((): unknown => leftOut([], 'most')).toThrow('BLOCKWORK_TESTS is "most". Set it to one of subjects, all, or');
  expect(read('.ci/run')).toMatch(/^export BLOCKWORK_TESTS=subjects$[\s\S]*^npm test /m);
});

it('what is left out of one run is what its own command runs', () => {
  for (const name of names) {
    const excluded = (exclusions([name]) as string[]).map((each) =>
      each.replace('--exclude=', '').replace(/\*\*$/, ''),
    );
    expect(excluded).toEqual(testsOf(name));
  }
  expect((): unknown => testsOf('nothing')).toThrow('There is no subject "nothing"');
});
