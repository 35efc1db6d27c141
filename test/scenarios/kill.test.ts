/** Processes that are killed at any moment of a scenario, on a store of files: the next one goes on, and all is as it should be. */
import { INSTANCE } from '@blockwork/core/records';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openScenarioWorld } from '@blockwork/explorer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, programEnv } from '../support/build-program.js';
import { journalLogProblems } from '../support/journal-log.js';
import type { Death } from '../support/mortal-store.js';
import { ownCases, realCases } from './support/cases.js';
import { expectEndState } from './support/end-state.js';
import type { WalkerEnd } from './support/walker.js';
import { someOf } from '../support/repetitions.js';

let base = '';
let program = '';

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'blockwork-kill-'));
  program = await buildProgram(new URL('support/walker.ts', import.meta.url), base);
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Of one process after the other: while the store opens, and in the middle of a commit or shortly after it. */
const deaths: readonly Death[] = [
  { commit: 0, turns: 1 },
  { commit: 1, turns: 10 },
  { commit: 0, turns: 1000 },
  { commit: 2, turns: 0 },
  { commit: 3, turns: 100 },
  { commit: 0, turns: 100 },
  { commit: 5, turns: 1000 },
];

/** One life of the program: how it ended, and what it said. */
async function live(args: readonly string[]): Promise<{ signal: string | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: programEnv });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { signal, output, errors };
}

/** Without scripts: their threads are files beside the packages, which a bundled program does not have. */
const scenarios = [...ownCases, ...realCases].filter(({ name }) =>
  ['sunlight.json', 'irec-7-split.json'].includes(name),
);

describe('a scenario whose process is killed again and again', () => {
  it.each(scenarios)(
    '$name comes to its end',
    { timeout: 600_000 },
    async ({ name, policyFile, scriptFile, endState }) => {
      const folder = await mkdtemp(join(base, 'walk-'));
      const lives = (death: Death | null) => live([folder, policyFile, scriptFile, JSON.stringify(death)]);

      for (const death of someOf(deaths, 2)) {
        expect(await lives(death), JSON.stringify(death)).toEqual({ signal: 'SIGKILL', output: '', errors: '' });
      }
      const { output, ...end } = await lives(null);
      expect(end).toEqual({ signal: null, errors: '' });
      expect(JSON.parse(output), name).toEqual({ failures: [] } satisfies WalkerEnd);

      const store = await openLowdbStore({ folder: join(folder, 'store') });
      const [policy] = await store.find('policy', INSTANCE);
      expect(await journalLogProblems(store, policy?.id ?? '')).toEqual([]);
      const world = await openScenarioWorld(policy?.id ?? '', { store });
      if (endState === null) expect.unreachable('The list says how it ends.');
      else await expectEndState(world, endState);
      await world.close();
    },
  );
});
