/** The table of commands in CONTRIBUTING.md, held to the manifest. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

it('CONTRIBUTING.md describes every command of the workspace, and no other', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const described = [...(await read('CONTRIBUTING.md')).matchAll(/^\| `npm (?:run )?([a-z:-]+)`/gm)].map(
    ([, name]) => name,
  );
  expect(described.sort()).toEqual(Object.keys(scripts).sort());
});
