/** The engine of a policy bench: a real engine with a simulated clock and deterministic ids and keys. */
import {
  type Accounts,
  type Caller,
  createEngine,
  DerivedAccounts,
  type Finding,
  type Keys,
  MemoryStore,
  type PolicyEngine,
  type PolicyStore,
  SeededKeys,
} from '@blockwork/core';
import type { BlockType } from '@blockwork/core/block';
import { SequentialIds } from '../sequential-ids.js';
import { SimulatedClock, SimulatedTimers } from '../simulated-timers.js';
import type { PolicyBenchOptions } from './policy-bench-options.js';

/** Public, so the keys of a bench protect nothing. */
const SEED = new Uint8Array(32).fill(7);
/** One for all benches: a pair that was derived once need not be derived again. */
const keys = new SeededKeys(SEED);

/** The ports that make runs deterministic. */
export interface BenchPorts {
  readonly store: PolicyStore;
  readonly clock: SimulatedClock;
  readonly keys: Keys;
  readonly accounts: Accounts;
}

export const benchPorts = ({ store, clock }: PolicyBenchOptions): BenchPorts => ({
  store: store ?? new MemoryStore(),
  clock: clock ?? new SimulatedClock(),
  keys,
  accounts: new DerivedAccounts(),
});

export async function benchEngine(ports: BenchPorts, options: PolicyBenchOptions): Promise<PolicyEngine> {
  const standardBlocks = await loadStandardBlocks();
  return createEngine({
    ...ports,
    // People of a bench look at a policy that is still being written.
    drafts: 'shared',
    ids: options.ids ?? new SequentialIds(),
    timers: new SimulatedTimers(ports.clock),
    blocks: [...standardBlocks, ...(options.blocks ?? [])],
    ...(options.ledger && { ledger: options.ledger }),
    ...(options.limits && { limits: options.limits }),
    ...(options.proofs && { proofs: options.proofs }),
    ...(options.linkedData && { linkedData: options.linkedData }),
  });
}

/** A `.policy` archive, or the content of its `policy.json`. */
export type PolicySource = Uint8Array | object;

/** Imports and starts the policy. Throws with the findings if it has errors. */
export async function startPolicy(
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
  if (!isValid) throw new Error(`The policy "${policy.name}" has errors:\n${findings.map(formatted).join('\n')}`);
  return policy.id;
}

const formatted = ({ severity, tag, message }: Finding): string => `- ${severity} ${tag ?? ''}: ${message}`;

interface BlocksPackage {
  readonly standardBlocks: () => readonly BlockType[];
}

const packages = new WeakMap<BlocksPackage['standardBlocks'], readonly BlockType[]>();

/** Made once: blocks keep no state, and benches that share them share the threads in which formulas and scripts run. */
function blocksOf({ standardBlocks }: BlocksPackage): readonly BlockType[] {
  const blocks = packages.get(standardBlocks) ?? standardBlocks();
  packages.set(standardBlocks, blocks);
  return blocks;
}

/** Throws with what to install if `@blockwork/blocks` is missing. */
export async function loadStandardBlocks(
  importBlocks: () => Promise<BlocksPackage> = () => import('@blockwork/blocks'),
): Promise<readonly BlockType[]> {
  try {
    return blocksOf(await importBlocks());
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error(
      'A policy bench and a scenario need the standard blocks, but @blockwork/blocks is not installed. ' +
        'Add @blockwork/blocks to the devDependencies, in the version of @blockwork/testing.',
      { cause },
    );
  }
}

/** The package itself is missing, not something that it imports. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.startsWith("Cannot find package '@blockwork/blocks'");
