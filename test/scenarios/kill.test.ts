/** Processes that are killed at any moment of a scenario, on a store of files: the next one goes on, and all is as it should be. */
import { INSTANCE } from '@blockwork/core/records';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { openScenarioWorld } from '@blockwork/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCases, realCases } from './support/cases.js';
import { expectEndState } from './support/end-state.js';
import { buildProgram, runUntil } from './support/program.js';
import type { WalkerLine } from './support/walker.js';

let base = '';
let program = '';

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'blockwork-kill-'));
  program = await buildProgram('walker', base);
}, 60_000);
afterAll(() => rm(base, { recursive: true, force: true }));

/** Steps that a process gets to do before it is killed, and then so many milliseconds more, at random. */
const LIVES = [0, 1, 0, 2, 3];
const LONGEST_PAUSE_MS = 60;

const scenarios = [...ownCases, ...realCases.filter(({ name }) => name === 'irec-7-split.json')];

describe('a scenario whose process is killed again and again', () => {
  it.each(scenarios)(
    '$name comes to its end',
    { timeout: 120_000 },
    async ({ name, policyFile, scriptFile, endState }) => {
      const folder = await mkdtemp(join(base, 'walk-'));
      const live = (steps: number, pause: number) =>
        runUntil<WalkerLine>(program, [folder, policyFile, scriptFile], (lines) => lines.length >= steps, pause);

      let killed = 0;
      for (const steps of LIVES) {
        // A process that is killed before its first step has all of its start to be killed in.
        const pause = Math.random() * (steps === 0 ? 1000 : LONGEST_PAUSE_MS);
        const { lines, errors } = await live(steps, pause);
        expect(errors).toBe('');
        if (!lines.some((line) => 'ended' in line)) killed += 1;
      }
      expect(killed).toBeGreaterThan(1);
      const { lines, errors } = await live(Infinity, 0);
      expect(errors).toBe('');
      expect(lines.at(-1), name).toEqual({ ended: [] });

      const store = await openLowdbStore({ folder: join(folder, 'store') });
      const [policy] = await store.find('policy', INSTANCE);
      const world = await openScenarioWorld(policy?.id ?? '', { store });
      if (endState === null) expect.unreachable('The list says how it ends.');
      else await expectEndState(world, endState);
      await world.close();
    },
  );
});
