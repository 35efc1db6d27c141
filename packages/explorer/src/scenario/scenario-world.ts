/** The environment of a scenario: a policy on its bench, a ledger that can refuse, and access to the policy. */
import { demandOptions } from '@blockwork/core/adapter';
import {
  policyBench,
  type PolicyBench,
  type PolicyBenchOptions,
  type PolicySource,
  RefusingLedger,
  reopenedPolicyBench,
} from '@blockwork/testing';
import { inProcess, type ScenarioAccess } from './scenario-access.js';

export interface ScenarioWorld {
  readonly bench: PolicyBench;
  readonly ledger: RefusingLedger;
  readonly access: ScenarioAccess;
  close(): Promise<void>;
}

export interface ScenarioWorldOptions extends Omit<PolicyBenchOptions, 'ledger'> {
  readonly ledger?: RefusingLedger;
  /** Replaces the direct access to the engine. `close` is called before the bench is closed. */
  readonly access?: (bench: PolicyBench) => Promise<ScenarioAccess & { close?(): Promise<void> }>;
}

/** `source`: a policy, or the id of one that `options.store` already holds. */
export async function openScenarioWorld(
  source: PolicySource | string,
  worldOptions: ScenarioWorldOptions = {},
): Promise<ScenarioWorld> {
  demandOptions(worldOptions, 'openScenarioWorld', 'worldOptions');
  const { access: open, ledger = new RefusingLedger(), ...options } = worldOptions;
  const { store } = options;
  if (typeof source === 'string' && store === undefined) throw new Error('A stored policy is opened with its store.');
  const bench =
    typeof source === 'string' && store !== undefined
      ? reopenedPolicyBench(source, { ...options, store, ledger })
      : policyBench(source as PolicySource, { ...options, ledger });
  await bench.open();
  const access: ScenarioAccess & { close?(): Promise<void> } =
    open === undefined ? inProcess(bench) : await open(bench);
  return {
    bench,
    ledger,
    access,
    close: async () => {
      await access.close?.();
      await bench.close();
    },
  };
}
