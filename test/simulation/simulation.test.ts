/** The simulator runs in processes of its own: it replaces clock, timers and the network of the process that it is in. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture } from '../../scripts/run.mjs';
import { bundleSimulator } from '../../scripts/simulation/bundle.mjs';
import { times } from '../support/repetitions.js';

/** Some that are always played, on every kind of store, and one that nobody has seen before. */
const fixed = [15, 26, 18, 6, 38, 47, 51].slice(0, times(2, 7));
const fresh = Number(process.env['BLOCKWORK_SIMULATION_SEED'] ?? Date.now() % 1_000_000_000);
const STEPS = times(2_500, 20_000);

let program: string;

beforeAll(async () => {
  program = await bundleSimulator();
});

afterAll(() => rm(program, { force: true }));

/** Resolves to what the program says of the seed. Throws what it tells of one that breaks a promise. */
async function play(seed: number, steps = STEPS): Promise<string> {
  const { code, output } = await capture(process.execPath, [program, '--seed', `${seed}`, '--steps', `${steps}`]);
  if (code !== 0) throw new Error(`${output}\nnpm run simulate -- --seed ${seed} --steps ${steps} --shrink`);
  return output;
}

const traceOf = (said: string): string | undefined => /trace (\w+)/.exec(said)?.[1];

describe('engines over a simulated database, disk, link, clock and ledger', () => {
  it.each(fixed)('keep all their promises through everything that seed %i does to them', async (seed) => {
    await play(seed);
  });

  it('keep them as well with a seed that is new in each run', async () => {
    console.log(`The new seed is ${fresh}.`);
    await play(fresh);
  });

  it('do exactly the same again with the same seed', async () => {
    const [one, same, other] = await Promise.all([play(26, 800), play(26, 800), play(27, 800)]);
    expect(traceOf(one)).toBeDefined();
    expect(traceOf(same)).toBe(traceOf(one));
    expect(traceOf(other)).not.toBe(traceOf(one));
  });
});
