import { describe, expect, it } from 'vitest';
import { readFile, rm } from 'node:fs/promises';
import { bundleSimulator } from '../../../scripts/simulation/bundle.mjs';
import { capture } from '../../../scripts/run.mjs';
import { isThorough } from '../../support/repetitions.js';
import { enginePlants, toleratedPlants } from './engine-plants.mjs';
import { portPlants } from './plants.js';

/** Enough for each: the slowest needs a hundred seeds or so. */
const HOURS = 400;

const inEngine = Object.entries({ ...enginePlants, ...toleratedPlants });

/** What the program says of simulations with a fault planted. */
async function playPlanted(plant: string): Promise<{ readonly code: number; readonly output: string }> {
  const isInPort = Object.hasOwn(portPlants, plant);
  const program = await bundleSimulator(isInPort ? undefined : plant);
  try {
    const args = ['--seed', '1', '--steps', '8000', '--hours', String(HOURS), ...(isInPort ? ['--plant', plant] : [])];
    return await capture(process.execPath, [program, ...args]);
  } finally {
    await rm(program, { force: true });
  }
}

describe('a fault that is planted on purpose', () => {
  it.each(inEngine)('has its place in the code: %s', async (_, { file, passage }) => {
    const code = await readFile(new URL(`../../../packages/${file}`, import.meta.url), 'utf8');
    expect(code.split(passage)).toHaveLength(2);
  });

  it.skipIf(!isThorough).each([...Object.keys(portPlants), ...Object.keys(enginePlants)])(
    'is found: %s',
    async (plant) => {
      const { code, output } = await playPlanted(plant);
      expect(code, output).toBe(1);
      expect(output).toMatch(/" is broken/);
    },
    3_600_000,
  );
});
