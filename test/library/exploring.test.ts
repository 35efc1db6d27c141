/** The explorer on published policies: all of them in a soak, which prints a table, and one with few steps otherwise. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { explorePolicy, type Exploration } from '@blockwork/explorer';
import { describe, expect, it } from 'vitest';
import { publishedPolicies } from './published.js';
import { isSoak, times } from '../support/repetitions.js';

const few = publishedPolicies.filter((path) => basename(path) === 'irec-5-group.policy');
const chosen = isSoak ? publishedPolicies : few;

/** What has to be reached, of what can be reached, in how many of the policies. */
const ENOUGH = 0.8;
const ENOUGH_POLICIES = 0.8;

/** Steps that reach most of what can be reached, and steps that only show that exploring works. */
const steps = times(60, 60, 800);

const shares = new Map<string, number>();

/** A line of the table, and below it what was missed and why, and what was refused or failed. */
function tell(name: string, { coverage, steps, internalErrors, refusals, failures }: Exploration): void {
  const { blocks, reachable, reached, unreached } = coverage;
  const share = reached.length / reachable;
  const counts = `${String(reached.length)} of ${String(reachable)} reachable, ${String(blocks)} blocks`;
  const incidents = `${String(internalErrors.length)} internal errors, ${String(failures.length)} failures, ${String(refusals.length)} refusals`;
  const missed = unreached.map(
    ({ block, reason, detail, static: isStatic }) =>
      `    ${isStatic ? 'never' : 'not'}: ${block}: ${reason}, ${detail}`,
  );
  const met = [...internalErrors, ...failures, ...refusals].map(
    ({ code, block, times, message }) => `    ${code} at ${block}, ${String(times)} times: ${message.slice(0, 300)}`,
  );
  const mark = share >= ENOUGH ? 'enough ' : 'TOO FEW';
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
  const line = `${mark} ${percent}  ${name}: ${counts}, ${String(steps)} steps, ${incidents}`;
  process.stderr.write([line, ...missed, ...met, ''].join('\n'));
}

describe.skipIf(chosen.length === 0)('published policies, explored', () => {
  it.each(chosen.map((path) => ({ path, name: basename(path) })))(
    '$name has no internal error',
    { timeout: 600_000 },
    async ({ path, name }) => {
      const source = new Uint8Array(readFileSync(path));
      const exploration = await explorePolicy(source, { seed: 1, steps, tries: 0 });
      const { coverage, internalErrors } = exploration;
      expect(internalErrors).toEqual([]);
      const { blocks, reachable, reached, unreached } = coverage;
      expect(reached.length + unreached.length).toBe(blocks);
      expect(unreached.filter(({ detail }) => detail === '')).toEqual([]);
      shares.set(name, reached.length / reachable);
      if (isSoak) tell(name, exploration);
      else expect(reached.length / reachable).toBeGreaterThan(0.5);
    },
  );

  it.runIf(isSoak)('are reached to four fifths, four fifths of them', () => {
    const enough = [...shares.values()].filter((share) => share >= ENOUGH);
    process.stderr.write(
      `${String(enough.length)} of ${String(publishedPolicies.length)} policies are reached to four fifths\n`,
    );
    expect(enough.length).toBeGreaterThanOrEqual(publishedPolicies.length * ENOUGH_POLICIES);
  });
});
