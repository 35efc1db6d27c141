/** The engine of a policy bench: a real one, whose clock, ids and keys are the same in every run. */
import {
  createEngine,
  DerivedAccounts,
  MemoryStore,
  SeededKeys,
  type Accounts,
  type Caller,
  type Finding,
  type Keys,
  type PolicyEngine,
  type PolicyStore,
} from '@blockwork/core';
import { SequentialIds } from '../sequential-ids.js';
import { SimulatedClock } from '../simulated-clock.js';
import { SimulatedTimers } from '../simulated-timers.js';
import type { PolicyBenchOptions } from './policy-bench-options.js';

/** Everybody knows it: the keys of a bench protect nothing. */
const SEED = new Uint8Array(32).fill(7);

/** What a bench puts into its engine, so that every run is the same. */
export interface BenchParts {
  readonly store: PolicyStore;
  readonly clock: SimulatedClock;
  readonly keys: Keys;
  readonly accounts: Accounts;
}

export const benchParts = ({ store, clock }: PolicyBenchOptions): BenchParts => ({
  store: store ?? new MemoryStore(),
  clock: clock ?? new SimulatedClock(),
  keys: new SeededKeys(SEED),
  accounts: new DerivedAccounts(),
});

export async function benchEngine(parts: BenchParts, options: PolicyBenchOptions): Promise<PolicyEngine> {
  // The library is loaded when a policy needs it: whoever tests one block does without.
  const { standardBlocks } = await import('@blockwork/blocks');
  return createEngine({
    ...parts,
    ids: options.ids ?? new SequentialIds(),
    timers: new SimulatedTimers(parts.clock),
    blocks: [...standardBlocks(), ...(options.blocks ?? [])],
    ...(options.ledger && { ledger: options.ledger }),
    ...(options.limits && { limits: options.limits }),
  });
}

/** What a test works on: an archive, or what its `policy.json` would hold. */
export type PolicySource = Uint8Array | object;

/** Takes the policy in and starts it. Throws with the findings where it cannot be started. */
export async function beginPolicy(
  engine: PolicyEngine,
  owner: Caller,
  source: PolicySource,
  status: NonNullable<PolicyBenchOptions['status']>,
): Promise<string> {
  const { policy } = await engine.importPolicy(owner, source);
  if (status === 'draft') return policy.id;
  const { isValid, findings } =
    status === 'dry-run'
      ? await engine.lifecycle.dryRun(owner, policy.id)
      : await engine.lifecycle.publish(owner, policy.id, '1.0.0');
  if (!isValid) throw new Error(`The policy "${policy.name}" has errors:\n${findings.map(said).join('\n')}`);
  return policy.id;
}

const said = ({ severity, tag, message }: Finding): string => `- ${severity} ${tag ?? ''}: ${message}`;
