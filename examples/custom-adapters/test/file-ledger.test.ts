/** The ledger of this example, as an engine uses it. */
import type { LedgerEffect } from '@blockwork/core';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileLedger } from '../src/file-ledger.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-ledger-'));
});
afterEach(() => rm(folder, { recursive: true }));
const path = () => join(folder, 'ledger.log');
const open = () => FileLedger.open({ path: path(), mostUnits: 1000n });
const mint = (id: string, units: string): LedgerEffect => ({
  id,
  policyId: 'p',
  at: '2026-01-01T00:00:00.000Z',
  type: 'mint',
  units,
});
const carriedOut = async () =>
  (await readFile(path(), 'utf8'))
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as LedgerEffect).id]));

test('carries out each effect once, however often it is told of it, and after a restart', async () => {
  const ledger = await open();
  for (const id of ['1', '2', '1']) await ledger.settle(mint(id, '5'));
  await ledger.close();
  const again = await open();
  await again.settle(mint('2', '5'));
  await again.settle(mint('3', '5'));
  await again.close();
  expect(await carriedOut()).toEqual(['1', '2', '3']);
});

test('carries out again what was cut off in the middle', async () => {
  const ledger = await open();
  await ledger.settle(mint('1', '5'));
  await ledger.close();
  await appendFile(path(), '{"id":"2","poli');
  const again = await open();
  await again.settle(mint('2', '5'));
  await again.close();
  expect(await carriedOut()).toEqual(['1', '2']);
});

test('refuses a mint that is too large, before anything is booked', async () => {
  const ledger = await open();
  await expect(ledger.check(mint('1', '1001'))).rejects.toThrow('1000 units at most, not 1001');
  await ledger.check(mint('2', '1000'));
  await ledger.close();
});
