import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const page = await readFile(new URL('../../docs/writing-a-block.md', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('.generated/', import.meta.url));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the block of docs/writing-a-block.md passes the test that the page shows', async () => {
  const [block = '', test = ''] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
  expect(test).toContain('blockBench');
  await mkdir(folder, { recursive: true });
  const file = `${folder}ballot.ts`;
  await writeFile(file, `import { expect } from 'vitest';\n${block}\n${test}`);
  await expect(import(/* @vite-ignore */ file)).resolves.toHaveProperty('BallotBlock');
});
