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
     export const lanes = { own: lane('own/<id>', { takenBy: ['A'], protects: 'Own tasks.' }) } as const;`;

  it('hold every text, however it is quoted, and every row, whoever makes it', () => {
    const tables = locksTables(
      source(`a: revisionKey("a", { takenBy: ["B", 'C'], protects: "A policy's \\"a\\"." }),
              b: bucketedKey('b', { takenBy: [\`D\`], readBy: ['E'], protects: \`All of it.\` })`),
    );
    expect(tables).toContain('| `a` | A policy\'s "a". | B, C | none |');
    expect(tables).toContain('| `b/<bucket>` | All of it. | D | E |');
    expect(tables).toContain('| `own/<id>` | Own tasks. | A | none |');
  });

  it.each([
    ["a: revisionKey('a', { takenBy: ['B'], protects: said })"],
    ["a: revisionKey('a', { takenBy: [], protects: 'All.' })"],
    ["a: revisionKey('a', { takenBy: ['B'], readBy: others, protects: 'All.' })"],
  ])('have no empty cell: %s is an error', (row) => {
    expect(() => locksTables(source(row))).toThrow('has an empty cell');
  });
});
