/** What the programs of threads load: each thread pays for it when it starts, and holds it in its memory. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programs } from '../src/threads/programs.js';

it.each(Object.entries(programs))('a thread for each %s loads nothing of the engine', async (_, program) => {
  const text = await readFile(fileURLToPath(program), 'utf8');
  const imported = [...text.matchAll(/\b(?:from|import)\s*['"]([^'"]+)['"]/g)].map(([, name]) => name ?? '');
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((name) => name.startsWith('@blockwork/'))).toEqual([]);
});
