/** Every scenario, from choosing a role to minted tokens: in process and over HTTP, on trial and published; a thorough run tries all four. */
import { describeFailures, openScenarioWorld, runScenario } from '@blockwork/explorer';
import { describe, expect, it } from 'vitest';
import { allCases } from './support/cases.js';
import { expectEndState } from './support/end-state.js';
import { overHttp } from './support/http-access.js';
import { isThorough } from '../support/repetitions.js';

const ways = [
  { way: 'in process', access: undefined, status: 'dry-run' },
  { way: 'over HTTP', access: overHttp, status: 'published' },
  ...(isThorough
    ? ([
        { way: 'in process', access: undefined, status: 'published' },
        { way: 'over HTTP', access: overHttp, status: 'dry-run' },
      ] as const)
    : []),
] as const;

describe.each(allCases)('$name', ({ name, script, policy, endState }) => {
  it.each(ways)('comes to its end $way when the policy is in $status', async ({ access, status }) => {
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
