/** Tests the block of this example in isolation: no policy, no server, no waiting. */
import { blockBench } from '@blockwork/testing';
import { expect, test } from 'vitest';
import { energyCounterBlock } from '../src/energy-counter.js';

const counter = () => blockBench(energyCounterBlock, { options: { fullAt: 1000 } });

test('adds up what a user reports', async () => {
  const installer = counter().as('Installer');

  await installer.send({ kWh: 300 });
  await installer.send({ kWh: 450 });

  expect(await installer.read()).toEqual({ kWh: 750, readings: 2, missing: 250 });
});

test('says when full amounts have come together, and keeps the rest', async () => {
  const bench = counter();

  await bench.as('Installer').send({ kWh: 2600 });

  expect(bench.emitted).toMatchObject([{ output: 'FullEvent', data: { certificates: 2 } }]);
  expect(await bench.as('Installer').read()).toMatchObject({ kWh: 600 });
});

test('counts for each user apart', async () => {
  const bench = counter();

  await bench.as({ role: 'Installer', did: 'did:example:east' }).send({ kWh: 800 });

  expect(await bench.as({ role: 'Installer', did: 'did:example:west' }).read()).toMatchObject({ kWh: 0 });
});

test('refuses what is no amount of energy', async () => {
  await expect(counter().as('Installer').send({ kWh: -1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
});

test('tells a policy author who left out the amount', async () => {
  const bench = blockBench(energyCounterBlock);

  expect(await bench.findings()).toMatchObject([{ severity: 'error', code: 'OPTIONS_INVALID' }]);
});
