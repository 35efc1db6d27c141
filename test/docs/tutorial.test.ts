/** The tutorial, as far as it can be followed without installing anything; `npm run packages` follows all of it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { missingLines, patched, stepsOf } from '../../scripts/packages/tutorial/page.mjs';
import { blockwork } from './support/blockwork.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-tutorial-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('its changes lead from the template to a policy that passes its test, which failed in between as it says', async () => {
  const project = join(folder, 'sunlight');
  await blockwork(['new', project]);
  const page = await readFile(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
  const outcomes: number[] = [];
  for (const { file, language, code } of stepsOf(page)) {
    if (file !== undefined) {
      const path = join(project, file);
      await writeFile(path, language === 'diff' ? patched(await readFile(path, 'utf8'), code) : code);
    } else if (/^npm test$/m.test(code)) {
      outcomes.push((await blockwork(['test', join(project, 'sunlight.policy.json')])).code);
    }
  }
  expect(outcomes).toEqual([0, 1, 0]);
  expect(await blockwork(['validate', join(project, 'sunlight.policy.json')])).toMatchObject({
    code: 0,
    out: expect.stringContaining('0 errors, 0 warnings') as string,
  });
});

it('a change whose lines are not there, or there twice, is not made', () => {
  expect(patched('a\nb\nc\n', ' a\n-b\n+d\n')).toBe('a\nd\nc\n');
  expect(() => patched('a\nb\n', ' a\n-c\n')).toThrow(/0 times/);
  expect(() => patched('a\na\n', '-a\n')).toThrow(/2 times/);
});

it('what was to be printed is compared line by line, in order', () => {
  expect(missingLines('one\ntwo\n', 'zero one\nthen\ntwo\n')).toEqual([]);
  expect(missingLines('two\none\n', 'one two')).toEqual(['one']);
});
