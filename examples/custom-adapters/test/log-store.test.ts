/** Runs the conformance suite for stores on the store of this example. */
import { policyStoreConformance } from '@blockwork/testing/conformance';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogStore } from '../src/log-store.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-store-'));
});
afterEach(() => rm(folder, { recursive: true }));
const file = () => join(folder, 'store.log');

policyStoreConformance('LogStore', {
  open: () => LogStore.open(file()),
  reopen: () => LogStore.open(file()),
});

test('forgets a commit that was cut off in the middle, and keeps those before it', async () => {
  const store = await LogStore.open(file());
  await store.commit({ expect: { a: 0 }, changes: [] });
  await store.close();
  const before = await readFile(file(), 'utf8');
  await appendFile(file(), '{"expect":{"a":1},"chan');

  const again = await LogStore.open(file());

  expect(await again.revision('a')).toBe(1);
  expect(await readFile(file(), 'utf8')).toBe(before);
  await again.close();
});
