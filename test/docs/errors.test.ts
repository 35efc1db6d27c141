/** The errors as the page announces them. */
import { errorTable } from '@blockwork/core';
import { transportErrorTable } from '@blockwork/http';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const documented = new Map(
  [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d+)(, try again)? +\|/gm)].map(([, code, status, again]) => [
    code,
    `${String(status)}${again ?? ''}`,
  ]),
);

describe('docs/errors.md', () => {
  const all: Record<string, { status: number; retryable?: boolean }> = { ...errorTable, ...transportErrorTable };

  it.each(Object.entries(all))('says of %s which status it has', (code, { status, retryable }) => {
    expect(documented.get(code)).toBe(`${String(status)}${retryable ? ', try again' : ''}`);
  });

  it('names no error that does not exist', () => {
    expect([...documented.keys()].filter((code) => !((code ?? '') in all))).toEqual([]);
  });
});
