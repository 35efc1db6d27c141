import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const page = await readFile(new URL('../../docs/writing-a-block.md', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('.generated/', import.meta.url));
afterAll(() => rm(folder, { recursive: true, force: true }));

const snippets = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

it.each([
  ['ballotBlock', snippets[0], snippets[1]],
  ['labelBlock', snippets[2], snippets[3]],
])('%s of docs/writing-a-block.md passes the test that the page shows', async (name, block = '', test = '') => {
  expect(test).toContain(`blockBench(${name}`);
  await mkdir(folder, { recursive: true });
  const file = `${folder}${name}.ts`;
  await writeFile(file, `${block}\n${test}`);
  await expect(import(/* @vite-ignore */ file)).resolves.toHaveProperty(name);
});

it('every block of code on the page is tested', () => {
  expect(snippets).toHaveLength(4);
});
