import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { documentation } from './documentation.js';

const folder = await mkdtemp(join(tmpdir(), 'blockwork-pages-'));
afterAll(() => rm(folder, { recursive: true }));

it('the documentation has the pages of the file by their addresses', async () => {
  const file = join(folder, 'docs.json');
  const page = { title: 'Trials', text: '# Trials' };
  await writeFile(file, JSON.stringify({ 'docs/trials.md': page }));
  expect(await documentation(file)).toEqual(new Map([['docs/trials.md', page]]));
});

it('the documentation is empty where no pages were written', async () => {
  expect(await documentation(join(folder, 'none.json'))).toEqual(new Map());
});

it('a file of pages that cannot be read is reported', async () => {
  await expect(documentation(folder)).rejects.toMatchObject({ code: 'EISDIR' });
});
