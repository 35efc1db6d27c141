/** Where ARCHITECTURE.md says that something is decided, there is such a file or folder. */
import { access, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { page } from '../../scripts/architecture/page.mjs';

const packages = new URL('../../packages/', import.meta.url);

/** The paths in a cell. A name alone is beside the path before it. */
function pathsIn(cell: string): string[] {
  let folder = '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => {
    if (!path.includes('/')) return posix.join(folder, path);
    folder = posix.extname(path) === '' ? path : posix.dirname(path);
    return path;
  });
}

it('each row of "Where it is decided" leads to files and folders that exist', async () => {
  const text = await readFile(page, 'utf8');
  const [, section = ''] = /^## Where it is decided\n([^]*?)^## /m.exec(text) ?? [];
  const cells = section.split('\n').flatMap((line) => (/^\| \S/.test(line) ? [line.split('|')[2] ?? ''] : []));
  const [, ...rows] = cells.filter((cell) => !/^ -+ $/.test(cell));
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter((cell) => pathsIn(cell).length === 0)).toEqual([]);
  const missing: string[] = [];
  for (const path of rows.flatMap(pathsIn)) await access(new URL(path, packages)).catch(() => missing.push(path));
  expect(missing).toEqual([]);
});
