/** Runs a whole script against a policy. */
import type { ScenarioReport } from './report.js';
import { ScenarioRun } from './scenario-run.js';
import type { ScenarioWorld } from './scenario-world.js';
import { readScript } from './script.js';

/**
 * Goes on after an expectation that is not met, and resolves with all of them. Throws for what is no script, and for errors
 * that are no refusal.
 *
 * ```ts
 * const world = await openScenarioWorld(await readFile('registry.policy'));
 * const report = await runScenario(JSON.parse(text), world);
 * expect(describeFailures('registry', report)).toBe('');
 * ```
 */
export const runScenario = async (script: unknown, world: ScenarioWorld): Promise<ScenarioReport> =>
  new ScenarioRun(world).run(readScript(script));
