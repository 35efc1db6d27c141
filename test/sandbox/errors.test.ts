/** The README of the sandbox lists its errors. */
import { sandboxErrorTable } from '@blockwork/sandbox';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('the README of the sandbox says of each error which status it has, and names no other', async () => {
  const page = await readFile(new URL('../../packages/sandbox/README.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d+) +\|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  const defined = Object.entries(sandboxErrorTable).map(([code, { status }]) => [code, status]);
  expect(documented.sort()).toEqual(defined.sort());
});
