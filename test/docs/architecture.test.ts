/** ARCHITECTURE.md shows the code as it is. */
import { readFile } from 'node:fs/promises';
import * as core from '@blockwork/core';
import * as kit from '@blockwork/core/block';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { locksTables } from '../../scripts/architecture/locks.mjs';
import { drawnPage, page } from '../../scripts/architecture/page.mjs';

it('ARCHITECTURE.md draws the packages, rooms, hooks and locks that the code has (npm run architecture)', async () => {
  const written = await readFile(page, 'utf8');
  expect(written).toBe(await drawnPage(written, { core, kit, z }));
});

describe('the tables of locks', () => {
  const source = (row: string): string =>
    `export const revisionKeys = { ${row} } as const;
     export const lanes = { own: lane('own/<id>', 'Own tasks.') } as const;`;
  const users = [
    { name: 'first', text: 'revisionKeys.a.of(id); lanes.own.of(id);' },
    { name: 'second', text: 'revisionKeys.a.of(id); revisionKeys.b.of(id);' },
  ];

  it('hold every text, however it is quoted, and every row, whoever makes it', () => {
    const rows = 'a: revisionKey("a", "A policy\'s \\"a\\"."), b: bucketedKey(\'b\', `All of it.`)';
    const tables = locksTables(source(rows), users);
    expect(tables).toContain('| `a` | A policy\'s "a". | `first`, `second` |');
    expect(tables).toContain('| `b/<bucket>` | All of it. | `second` |');
    expect(tables).toContain('| `own/<id>` | Own tasks. | `first` |');
  });

  it.each([["a: revisionKey('a', said)"], ["a: revisionKey('a', '')"], ["unused: revisionKey('c', 'All.')"]])(
    'have no empty cell: %s is an error',
    (row) => {
      expect(() => locksTables(source(row), users)).toThrow('has an empty cell');
    },
  );
});
