/** A scenario whose store fails at one call: it is started again where needed, and goes on to its end. */
import {
  openScenarioWorld,
  readScript,
  ScenarioRun,
  type ScenarioFailure,
  type ScenarioStep,
  type ScenarioWorld,
} from '@blockwork/explorer';
import { FaultyStore, RefusingLedger, SequentialIds, SimulatedClock, type StoreFault } from '@blockwork/testing';
import { MemoryStore, type PolicyStore } from '@blockwork/core';
import type { ScenarioCase } from './cases.js';

export interface FaultRunEnd {
  readonly world: ScenarioWorld;
  /** What the engine's store is made of, without faults. */
  readonly store: PolicyStore;
  readonly ledger: RefusingLedger;
  readonly failures: readonly ScenarioFailure[];
  /** The same policy in another engine over what the store holds now. */
  readonly restart: () => Promise<ScenarioWorld>;
  /** Calls of the store while the engine was at work. */
  readonly calls: number;
  /** Whether the fault came at all. */
  readonly hasFailed: boolean;
}

/** Without a fault, it only counts the calls. The caller closes the world. */
export async function runWithFault(
  { policy, script }: Pick<ScenarioCase, 'policy' | 'script'>,
  fault?: { readonly at: number; readonly kind: StoreFault },
): Promise<FaultRunEnd> {
  const steps = readScript(script);
  const inner = new MemoryStore();
  const [clock, ids, ledger] = [new SimulatedClock(), new SequentialIds(), new RefusingLedger()];
  const store = new FaultyStore(inner);
  store.armed = false;
  if (fault !== undefined) store.failAt(fault.at, fault.kind);
  const first = await openScenarioWorld(policy, { status: 'published', store, clock, ids, ledger });
  const { policyId } = await first.bench.open();
  const restart = (): Promise<ScenarioWorld> => openScenarioWorld(policyId, { store: inner, clock, ids, ledger });
  let world = armed(first, store);
  const run = new ScenarioRun(world);
  const failures: ScenarioFailure[] = [];
  let recovered = false;

  for (const step of steps) {
    const before = await inner.revision(policyId);
    const runFailures = await attempt(run, step);
    if (!store.hasFailed || recovered) {
      failures.push(...runFailures);
      continue;
    }
    recovered = true;
    store.armed = false;
    if (fault?.kind !== 'unavailable') {
      world = await restart();
      run.moveTo(world);
    }
    // Work in the background met the fault: the step has its answer.
    if (runFailures.length === 0) continue;
    const isDone = (await inner.revision(policyId)) > before && step.save === undefined;
    failures.push(...(await (isDone ? run.lookAfter(step) : run.step(step))));
  }
  return { world, store: inner, ledger, restart, failures, calls: store.calls, hasFailed: store.hasFailed };
}

/** What is thrown is the fault itself, or what came of it. */
async function attempt(run: ScenarioRun, step: ScenarioStep): Promise<readonly ScenarioFailure[]> {
  try {
    return await run.step(step);
  } catch (error) {
    return [{ step: step.n, tag: step.tag, path: 'thrown', expected: 'no error', got: String(error) }];
  }
}

/** Faults meet the engine at work, not the observer. */
function armed(world: ScenarioWorld, store: FaultyStore): ScenarioWorld {
  const { bench, access } = world;
  const during =
    <Args extends unknown[], T>(action: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      store.armed = true;
      try {
        return await action(...args);
      } finally {
        store.armed = false;
      }
    };
  return {
    ...world,
    bench: { ...bench, tick: during((tag) => bench.tick(tag)) },
    access: {
      read: during((session, tag) => access.read(session, tag)),
      send: during((session, tag, body) => access.send(session, tag, body)),
      external: during((tag, data) => access.external(tag, data)),
    },
  };
}
