/** The same clock, ids, keys and inputs give the same journal, byte for byte, and the same of everything else. */
import { openScenarioWorld, runScenario } from '@blockwork/explorer';
import { describe, expect, it } from 'vitest';
import { allCases, type ScenarioCase } from './support/cases.js';
import { wholeStore } from './support/whole-store.js';
import { someOf } from '../support/repetitions.js';

async function afterwards({
  policy,
  script,
}: ScenarioCase): Promise<{ journal: string; whole: Record<string, string> }> {
  const world = await openScenarioWorld(policy);
  await runScenario(script, world);
  const { store, policyId } = await world.bench.open();
  const journal = JSON.stringify(await store.find('journal', policyId));
  const whole = await wholeStore(store, policyId);
  await world.close();
  return { journal, whole };
}

describe('two runs of one scenario', () => {
  it.each(someOf(allCases, 3))('$name write the same journal and leave the same store', async (scenario) => {
    const [first, second] = [await afterwards(scenario), await afterwards(scenario)];

    expect(first.journal.length).toBeGreaterThan(1000);
    expect(second.journal).toBe(first.journal);
    expect(second.whole).toEqual(first.whole);
  });
});
