/**
 * A program that is meant to be killed: goes through a scenario with its policy in a lowdb store, and
 * goes on from there when it is started again. `node walker.mjs <folder> <policy file> <script file> <death as JSON>`.
 */
import { randomIds, type JsonObject } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openScenarioWorld, readScript, ScenarioRun, type ScenarioFailure } from '@blockwork/explorer';
import { SimulatedClock } from '@blockwork/testing';
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openMortal, type Death } from '../../support/mortal-store.js';
import { policyIn } from './policy-file.js';

/** Said in the end: what was not as expected. */
export interface WalkerEnd {
  readonly failures: readonly ScenarioFailure[];
}

/** What the program knows of itself when it starts again: written before a step and after it. */
interface Progress {
  readonly done: number;
  /** Revision of the policy before the step that is under way; `null` between two steps. */
  readonly before: number | null;
  readonly saved: JsonObject;
  readonly failures: readonly ScenarioFailure[];
}

async function walk(folder: string, policyFile: string, scriptFile: string, death: Death | null): Promise<void> {
  const file = join(folder, 'progress.json');
  const write = (progress: Progress): void => {
    writeFileSync(`${file}.new`, JSON.stringify(progress));
    renameSync(`${file}.new`, file);
  };
  let progress: Progress = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Progress)
    : { done: 0, before: null, saved: {}, failures: [] };

  const store = await openMortal(() => openLowdbStore({ folder: join(folder, 'store') }), death);
  const clock = new SimulatedClock();
  clock.advance(`${progress.done * 10}s`);
  const [policy] = await store.find('policy', INSTANCE);
  const options = { store, clock, ids: randomIds, status: 'published' } as const;
  const world = await openScenarioWorld(policy?.id ?? policyIn(policyFile), options);
  const { engine, owner, policyId } = await world.bench.open();
  if (policy?.status === 'DRAFT') await engine.lifecycle.publish(owner, policyId, '1.0.0');

  const run = new ScenarioRun(world, progress.saved);
  for (const step of readScript(JSON.parse(readFileSync(scriptFile, 'utf8'))).slice(progress.done)) {
    const revision = await store.revision(policyId);
    const wasCarriedOut = progress.before !== null && revision > progress.before && step.save === undefined;
    write({ ...progress, before: progress.before ?? revision });
    const failures = await (wasCarriedOut ? run.lookAfter(step) : run.step(step));
    progress = {
      done: progress.done + 1,
      before: null,
      saved: run.saved,
      failures: [...progress.failures, ...failures],
    };
    write(progress);
  }
  await world.close();
  writeSync(1, JSON.stringify({ failures: progress.failures } satisfies WalkerEnd));
}

const [folder = '', policyFile = '', scriptFile = '', death = 'null'] = process.argv.slice(2);
if (process.argv[1]?.endsWith('walker.mjs')) {
  await walk(folder, policyFile, scriptFile, JSON.parse(death) as Death | null);
}
