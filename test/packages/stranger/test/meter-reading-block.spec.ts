/** The block by itself. */
import { blockBench } from '@blockwork/testing';
import { expect, test } from 'vitest';
import { meterReadingBlock } from '../src/meter-reading-block.js';

const meter = () => blockBench(meterReadingBlock, { options: { unit: 'kWh', max: 500 } });

test('each reading emits what was used since the one before', async () => {
  const bench = meter();
  const resident = bench.as('Resident');

  expect(await resident.read()).toEqual({ unit: 'kWh', last: null });
  await resident.send({ value: 100 });
  await resident.send({ value: 130 });

  expect(await resident.read()).toEqual({ unit: 'kWh', last: 130 });
  expect(bench.emitted).toMatchObject([
    { output: 'ReadingEvent', data: { used: 100 } },
    { output: 'ReadingEvent', data: { used: 30 } },
  ]);
});

test('a reading below the last one is refused, and changes nothing', async () => {
  const resident = meter().as('Resident');
  await resident.send({ value: 100 });

  await expect(resident.send({ value: 99 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });

  expect(await resident.read()).toMatchObject({ last: 100 });
});

test('a policy that leaves out an option gets a finding', async () => {
  const bench = blockBench(meterReadingBlock, { options: { unit: 'kWh' } });

  expect(await bench.findings()).toMatchObject([{ severity: 'error', code: 'OPTIONS_INVALID' }]);
});
