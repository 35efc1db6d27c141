/** The page of the command line lists every environment variable that the command line reads, and no other. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';

const names = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

it('docs/cli.md has a row for each variable', async () => {
  const sources = join(root, 'packages', 'cli', 'src');
  const files = (await readdir(sources, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const code = await Promise.all(files.map((file) => readFile(join(sources, file), 'utf8')));
  const read = new Set(names(code.join('\n'), /\b(BLOCKWORK_[A-Z_]*[A-Z])\b/g));
  const page = await readFile(join(root, 'docs', 'cli.md'), 'utf8');
  // An option of one command, which its row names.
  expect(page).toContain('$BLOCKWORK_TOKEN');
  read.delete('BLOCKWORK_TOKEN');
  expect(names(page, /^\| `(BLOCKWORK_[A-Z_]+)`/gm).sort()).toEqual([...read].sort());
});
