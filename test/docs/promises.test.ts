/** Every promise of docs/promises.md has its test, and every promise that a comment names is in the list. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.mjs';

interface Promised {
  readonly number: number;
  readonly file: string;
  readonly name: string;
}

const page = await readFile(join(root, 'docs', 'promises.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\d+) +\| .+ \| \[[^\]]+\]\(\.\.\/([^)]+)\): (.+?) +\|$/gm)];
const promises = rows.map(([, number, file = '', name = '']): Promised => ({ number: Number(number), file, name }));

describe('the list of promises', () => {
  it('numbers them from 1, without a gap', () => {
    expect(promises.length).toBeGreaterThan(0);
    expect(promises.map(({ number }) => number)).toEqual(promises.map((_, at) => at + 1));
    expect(promises).toHaveLength([...page.matchAll(/^\| \d/gm)].length);
  });

  it.each(promises)('names for promise $number a test that there is', async ({ file, name }) => {
    const text = await readFile(join(root, file), 'utf8');
    expect(text).toMatch(/\b(it|test|promise)\b/);
    expect(text.replaceAll("\\'", "'")).toContain(name);
  });

  it('has every promise that a comment names', async () => {
    const numbers = new Set(promises.map(({ number }) => number));
    const folders = (await readdir(join(root, 'packages'))).map((name) => join(root, 'packages', name, 'src'));
    const named = await Promise.all(folders.map(promisesNamedIn));
    expect(named.flat().length).toBeGreaterThan(0);
    expect(named.flat().filter(({ number }) => !numbers.has(number))).toEqual([]);
  });
});

/** A comment names promises as `Promise 7`, or several as `Promises 7 and 8`. */
async function promisesNamedIn(folder: string): Promise<{ readonly file: string; readonly number: number }[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const named = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      const comments = [...text.matchAll(/\bPromises? (\d+(?:(?:, | and )\d+)*)/g)];
      return comments.flatMap(([, list = '']) =>
        list.split(/, | and /).map((number) => ({ file: join(folder, file), number: Number(number) })),
      );
    }),
  );
  return named.flat();
}
