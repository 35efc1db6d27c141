/** Every scenario, from choosing a role to minted tokens: in process and over HTTP, on trial and published. */
import { describeFailures, openScenarioWorld, runScenario } from '@blockwork/explorer';
import { describe, expect, it } from 'vitest';
import { allCases } from './support/cases.js';
import { expectEndState } from './support/end-state.js';
import { overHttp } from './support/http-access.js';

const ways = [
  { way: 'in process', access: undefined },
  { way: 'over HTTP', access: overHttp },
];

describe.each(allCases)('$name', ({ name, script, policy, endState }) => {
  describe.each(ways)('$way', ({ access }) => {
    it.each(['dry-run', 'published'] as const)('comes to its end when the policy is in %s', async (status) => {
      const world = await openScenarioWorld(policy, { status, ...(access && { access }) });
      try {
        const report = await runScenario(script, world);

        expect(describeFailures(name, report)).toBe('');
        expect(report.steps).toBe((script as unknown[]).length);
        if (endState !== null) await expectEndState(world, endState);
      } finally {
        await world.close();
      }
    });
  });
});
