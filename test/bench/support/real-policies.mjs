/** Plays the scenarios of real policies, and has each send and each read of theirs measured. */
import { inProcess, openScenarioWorld, runScenario } from '@blockwork/explorer';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of policies and of their scenarios; `null` if the environment does not name both. */
export function realPolicies({ BLOCKWORK_REAL_POLICIES: policies, BLOCKWORK_SCENARIOS: scenarios } = process.env) {
  return policies && scenarios ? { policies, scenarios } : null;
}

/** The names of the policies that have a scenario. */
export async function scenarioNames({ scenarios }) {
  const files = await readdir(scenarios);
  const scripts = files.filter((file) => file.endsWith('.json') && !file.startsWith('edge-') && file !== 'index.json');
  return scripts.map((file) => file.slice(0, -'.json'.length));
}

/**
 * Plays one scenario on an engine of its own. `measured(kind, action)` runs each 'send' and 'read'; what the scenario reads at its end to
 * check the outcome is not measured. `watch` receives the engine before the first step and returns a function that ends the watching.
 */
export async function playScenario({ policies, scenarios }, name, { measured, watch, ...options }) {
  const [policy, script] = await Promise.all([
    readFile(join(policies, `${name}.policy`)),
    readFile(join(scenarios, `${name}.json`), 'utf8'),
  ]);
  const access = async (bench) => {
    const close = watch?.((await bench.open()).engine);
    const { read, send, external } = inProcess(bench);
    return {
      read: (...args) => measured('read', () => read(...args)),
      send: (...args) => measured('send', () => send(...args)),
      external,
      close: async () => close?.(),
    };
  };
  const world = await openScenarioWorld(new Uint8Array(policy), { ...options, access });
  const { failures } = await runScenario(JSON.parse(script), world);
  await world.close();
  if (failures.length > 0) throw new Error(`The scenario ${name} fails: ${JSON.stringify(failures[0])}`);
}
