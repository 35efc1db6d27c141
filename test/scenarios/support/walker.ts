/**
 * A program that is meant to be killed: goes through a scenario with its policy in a lowdb store, says how far it is, and
 * goes on from there when it is started again. `node walker.mjs <folder> <policy file> <script file>`.
 */
import { randomIds, type JsonObject } from '@blockwork/core';
import { INSTANCE } from '@blockwork/core/records';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openScenarioWorld, readScript, ScenarioRun, SimulatedClock, type ScenarioFailure } from '@blockwork/testing';
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { policyIn } from './policy-file.js';

/** After each step, how many are done; in the end, what was not as expected. */
export type WalkerLine = { readonly done: number } | { readonly ended: readonly ScenarioFailure[] };

/** What the program knows of itself when it starts again: written before a step and after it. */
interface Progress {
  readonly done: number;
  /** Revision of the policy before the step that is under way; `null` between two steps. */
  readonly before: number | null;
  readonly saved: JsonObject;
  readonly failures: readonly ScenarioFailure[];
}

const say = (line: WalkerLine): void => void writeSync(1, `${JSON.stringify(line)}\n`);

async function walk(folder: string, policyFile: string, scriptFile: string): Promise<void> {
  const file = join(folder, 'progress.json');
  const write = (progress: Progress): void => {
    writeFileSync(`${file}.new`, JSON.stringify(progress));
    renameSync(`${file}.new`, file);
  };
  let progress: Progress = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Progress)
    : { done: 0, before: null, saved: {}, failures: [] };

  const store = await openLowdbStore({ folder: join(folder, 'store') });
  const clock = new SimulatedClock();
  clock.advance(`${progress.done * 10}s`);
  const [known] = await store.find('policy', INSTANCE);
  const options = { store, clock, ids: randomIds, status: 'published' } as const;
  const world = await openScenarioWorld(known?.id ?? policyIn(policyFile), options);
  const { engine, owner, policyId } = await world.bench.open();
  if (known?.status === 'DRAFT') await engine.lifecycle.publish(owner, policyId, '1.0.0');

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
    say({ done: progress.done });
  }
  await world.close();
  say({ ended: progress.failures });
}

const [folder = '', policyFile = '', scriptFile = ''] = process.argv.slice(2);
if (process.argv[1]?.endsWith('walker.mjs')) await walk(folder, policyFile, scriptFile);
