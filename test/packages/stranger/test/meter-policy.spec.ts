/** The policy as a whole: on the bench, and on a store of files. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { policyBench, reopenedPolicyBench } from '@blockwork/testing';
import { expect, test } from 'vitest';
import { meterReadingBlock } from '../src/meter-reading-block.js';

const policy = JSON.parse(await readFile(new URL('../src/meter.policy.json', import.meta.url), 'utf8')) as object;

test('a resident who has read the meter is thanked', async () => {
  const bench = policyBench(policy, { blocks: [meterReadingBlock] });
  expect(await bench.findings()).toEqual([]);
  const alice = bench.as('alice');
  await alice.choose({ role: 'Resident' });
  expect(await alice.availability('thanks')).not.toMatchObject({ outcome: 'allowed' });

  await alice.send('meter', { value: 42 });

  expect(await alice.availability('thanks')).toMatchObject({ outcome: 'allowed' });
  await bench.close();
});

test('a resident who has read the meter is still thanked after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meter-'));
  const setup = async () => ({ store: await openLowdbStore({ folder }), blocks: [meterReadingBlock] });
  const before = policyBench(policy, await setup());
  await before.as('alice').choose({ role: 'Resident' });
  await before.as('alice').send('meter', { value: 7 });
  const { policyId } = await before.open();
  await before.close();

  const after = reopenedPolicyBench(policyId, await setup());

  expect(await after.as('alice').availability('thanks')).toMatchObject({ outcome: 'allowed' });
  await after.close();
  await rm(folder, { recursive: true });
});
