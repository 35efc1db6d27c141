/** Crash anywhere: whatever call of the store fails, the scenario goes on after a restart, and comes to the same end. */
import { describeFailures, worldView } from '@blockwork/explorer';
import { type StoreFault } from '@blockwork/testing';
import { INSTANCE } from '@blockwork/core/records';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ownCases, realCases, type ScenarioCase } from './support/cases.js';
import { runWithFault, type FaultRunEnd } from './support/fault-run.js';
import { isSoak, times } from '../support/repetitions.js';

const kinds: readonly StoreFault[] = ['unavailable', 'dies before', 'dies after'];

/** `npm run soak crash` fails each call in every way. Tests fail fewer calls, each in one way, by turns. */
const kindsAt = (call: number): readonly StoreFault[] =>
  isSoak ? kinds : kinds.filter((_, at) => at === call % kinds.length);

/** What must be the same in the end, whatever went wrong on the way. */
async function outcomeOf({ world, store, ledger, restart }: FaultRunEnd): Promise<unknown> {
  const { bench } = world;
  const { policyId } = await bench.open();
  const view = await worldView(bench);
  // A step whose answer is needed is done again where the answer was lost.
  const causes = (await bench.journal())
    .map(({ cause: { type, ...more } }) => [type, 'tag' in more && more.tag, 'did' in more && more.did].join(' '))
    .filter((cause, at, all) => cause !== all[at - 1]);
  const effects = (await store.find('ledger-effect', policyId)).map(({ id, type, units }) => ({ id, type, units }));
  // Whatever a failure left to be done is done when the engine starts again.
  const last = await restart();
  while ((await store.count('settlement', INSTANCE)) > 0) await pause(1);
  await last.close();
  const settled = ledger.settled.filter((effect) => effect.policyId === policyId);
  expect(settled.map(({ id }) => id)).toEqual(effects.map(({ id }) => id));
  return { view, causes, effects: effects.map(({ type, units }) => ({ type, units })) };
}

async function expectSameEnd(scenario: ScenarioCase, calls: readonly number[]): Promise<void> {
  const whole = await runWithFault(scenario);
  expect(describeFailures(scenario.name, { steps: 0, failures: whole.failures })).toBe('');
  const end = await outcomeOf(whole);
  for (const at of calls) {
    for (const kind of kindsAt(at)) {
      const run = await runWithFault(scenario, { at, kind });
      const name = `${scenario.name}, ${kind} at call ${String(at)}`;
      expect(run.hasFailed, name).toBe(true);
      expect(describeFailures(name, { steps: 0, failures: run.failures })).toBe('');
      expect(await outcomeOf(run), name).toEqual(end);
    }
  }
}

/** Every call in the soak, otherwise as many as let each way of failing have its turn. */
const mostCalls = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter((call) => call % times(16, 4, 1) === 0);

/** `wanted` calls, evenly spread, another place in each scenario. */
const spread = (count: number, wanted: number, offset: number): number[] =>
  Array.from({ length: wanted }, (_, at) => 1 + Math.floor(((at + (offset % 5) / 5) * count) / wanted));

describe('a store that fails at any call', () => {
  it.each(isSoak ? ownCases : ownCases.slice(0, 1))(
    'leaves $name where it can go on',
    { timeout: 600_000 },
    async (scenario) => {
      const counted = await runWithFault(scenario);
      await counted.world.close();
      expect(counted.calls).toBeGreaterThan(100);

      await expectSameEnd(scenario, mostCalls(counted.calls));
    },
  );

  it.each([...realCases, ...(isSoak ? [] : ownCases.slice(1))].map((scenario, at) => ({ ...scenario, at })))(
    'leaves $name where it can go on, at calls all over it',
    { timeout: 600_000 },
    async ({ at, ...scenario }) => {
      const counted = await runWithFault(scenario);
      await counted.world.close();

      await expectSameEnd(scenario, spread(counted.calls, times(1, 3, 40), at));
    },
  );
});
