/** `blockwork verify`: its story, its report and its exit codes. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkedData } from '@blockwork/linked-data';
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

it('a file that nests 100,000 deep is said to nest too deep, and exits with 1', async () => {
  const file = join(folder, 'deep.json');
  await writeFile(file, `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const { code, out, err } = await run(['verify', file]);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toContain('It nests too deep.');
});

it('proofs of linked data are verified, and are wrong once the document was changed', async () => {
  const file = join(folder, 'linked.json');
  const text = await proofFile(file, { linkedData: linkedData(), proofs: 'Ed25519Signature2018' });
  expect(text).toContain('Ed25519Signature2018');
  expect(await run(['verify', file])).toMatchObject({ code: 0, err: '' });
  await writeFile(file, text.replaceAll('"kilowattHours":12.5', '"kilowattHours":99.5'));
  const { code, out } = await run(['verify', file]);
  expect(code).toBe(1);
  expect(out).toContain('its signature does not fit what it says');
});

it('a log that does not continue the checkpoint that somebody kept is wrong', async () => {
  const { log } = JSON.parse(await readFile(sound, 'utf8')) as { log: { checkpoint: string } };
  const [same, other] = [join(folder, 'same'), join(folder, 'other')];
  await writeFile(same, log.checkpoint);
  expect(await run(['verify', sound, '--since', same])).toMatchObject({ code: 0, err: '' });
  await writeFile(other, log.checkpoint.replace(/^\S+/, 'else.example/log'));
  expect((await run(['verify', sound, '--since', other])).code).toBe(1);
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
