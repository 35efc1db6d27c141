/** Runs a whole script against a policy. */
import type { ScenarioReport } from './report.js';
import { ScenarioRun, type ScenarioWorld } from './scenario-run.js';
import { readScript } from './script.js';

/**
 * Continues after failed expectations and resolves with all of them. Throws for a malformed script, and for errors that are
 * not refusals.
 *
 * ```ts
 * const world = await openScenarioWorld(await readFile('registry.policy'));
 * const report = await runScenario(JSON.parse(text), world);
 * expect(describeFailures('registry', report)).toBe('');
 * ```
 */
export const runScenario = async (script: unknown, world: ScenarioWorld): Promise<ScenarioReport> =>
  new ScenarioRun(world).run(readScript(script));
