import { describe, expect, it } from 'vitest';
import { Simulation, type Outcome } from './support/simulation.js';
import { someOf, times } from '../support/repetitions.js';

/** One seed, to look at it again; or how many, and beginning with which. */
const only = process.env['BLOCKWORK_SIMULATION_SEED'];
const seeds = Number(process.env['BLOCKWORK_SIMULATION_SEEDS'] ?? times(8, 30));
const first = Number(only ?? process.env['BLOCKWORK_SIMULATION_FROM'] ?? 1);
const STEPS = 120;

const run = (seed: number): Promise<Outcome> => new Simulation(seed).run(STEPS);

describe('instances that ask each other over a faulty network, dying at any moment', () => {
  it('carry out each action at most once, end each conversation alike on both sides, and leave nobody waiting', async () => {
    const seen: Record<string, number> = {};
    for (let seed = first; seed < first + (only === undefined ? seeds : 1); seed += 1) {
      const { problems, trace, statuses, deaths, conversations, batches } = await run(seed);
      if (problems.length > 0) {
        const replay = `BLOCKWORK_SIMULATION_SEED=${String(seed)} npx vitest run test/requests/simulation.test.ts`;
        throw new Error(`Seed ${String(seed)}: ${problems.join('\n')}\n\n${trace.join('\n')}\n\nReplay: ${replay}`);
      }
      for (const [what, count] of Object.entries({ ...statuses, deaths, conversations, batches })) {
        seen[what] = (seen[what] ?? 0) + count;
      }
    }
    if (only !== undefined) return;
    // What never happens here is not tested here.
    for (const what of ['COMPLETED', 'REJECTED', 'CANCELED', 'ERROR', 'EXPIRED', 'deaths', 'batches']) {
      expect(seen[what] ?? 0, what).toBeGreaterThan(seeds / 4);
    }
  }, 3_600_000);

  it('do the same again when a seed is replayed', async () => {
    for (const seed of someOf([1, 2, 3], 3)) expect(await run(seed)).toEqual(await run(seed));
  });
});
