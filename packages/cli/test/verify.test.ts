/** `blockwork verify`: its story, its report and its exit codes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { proofFile } from './support/proof-file.js';
import { run, runJson } from './support/run.js';

const newFolder = temporaryFolders();
let [folder, sound, forged] = ['', '', ''];

beforeAll(async () => {
  folder = await newFolder();
  [sound, forged] = [join(folder, 'sound.json'), join(folder, 'forged.json')];
  const text = await proofFile(sound);
  await writeFile(forged, text.replaceAll('"kilowattHours":12.5', '"kilowattHours":99.5'));
});

it('tells the story of a proof that holds, and exits with 0', async () => {
  const { code, out, err } = await run(['verify', sound]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('Proof of the mint of 12.50 SUN');
  expect(out).toContain('signed by did:example:alice as Producer');
  expect(out).toContain('Cannot be checked from this file alone:');
});

it('names what is wrong, and exits with 1', async () => {
  const { code, out } = await run(['verify', forged]);
  expect(code).toBe(1);
  expect(out).toContain('integrity of the bundle: it was changed after it was made');
  expect(out).toContain('its signature does not fit what it says');
  expect(out).toContain('of 12.50: the rule "kilowattHours" gives 99.50');
  expect(await runJson(['verify', forged, '--json'])).toMatchObject({
    ok: false,
    wrong: expect.any(Array) as unknown[],
  });
});

it.each([
  ['is no JSON', '{', 3],
  ['is no bundle', '[]', 1],
])('a file that %s ends with its exit code', async (_, text, code) => {
  const file = join(folder, 'other.json');
  await writeFile(file, text);
  expect((await run(['verify', file])).code).toBe(code);
});

it('a file that is not there, or is a folder, is said to be so', async () => {
  await mkdir(join(folder, 'empty'), { recursive: true });
  for (const path of ['nowhere.json', 'empty']) {
    expect(await run(['verify', join(folder, path)])).toMatchObject({ code: 3, out: '' });
  }
});
