/** The explorer on published policies: all of them in a soak, a few with few steps otherwise. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explorePolicy } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { library } from './library.js';

const realPolicies = process.env['BLOCKWORK_REAL_POLICIES'];
const isSoak = process.env['BLOCKWORK_SOAK'] !== undefined;

const policiesIn = (folder: string | undefined): string[] =>
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.policy'))
        .map((name) => join(folder, name));

const all = [...policiesIn(realPolicies), ...policiesIn(library === undefined ? undefined : join(library, 'policies'))];
const few = all.filter((path) => ['irec-1.policy', 'irec-5-group.policy'].includes(basename(path)));
const chosen = isSoak ? all : few;

/** Steps that reach most of what can be reached, and steps that only show that exploring works. */
const steps = isSoak ? 1500 : 40;

const shares = new Map<string, number>();

describe.skipIf(chosen.length === 0)('published policies, explored', () => {
  it.each(chosen.map((path) => ({ path, name: basename(path) })))(
    '$name has no internal error',
    { timeout: 600_000 },
    async ({ path, name }) => {
      const source = new Uint8Array(readFileSync(path));
      const { coverage, internalErrors } = await explorePolicy(source, { seed: 1, steps, tries: 0 });
      expect(internalErrors).toEqual([]);
      const { blocks, reachable, reached, unreached } = coverage;
      expect(reached.length + unreached.length).toBe(blocks);
      expect(unreached.filter(({ detail }) => detail === '')).toEqual([]);
      shares.set(name, reached.length / reachable);
      if (!isSoak) return;
      const share = `${String(reached.length)} of ${String(reachable)}`;
      const missed = unreached.map(({ block, reason, detail }) => `    ${block}: ${reason}, ${detail}`);
      process.stderr.write([`${name}: reached ${share}`, ...missed, ''].join('\n'));
    },
  );

  it.runIf(isSoak)('are reached to four fifths, four fifths of them', () => {
    const enough = [...shares.values()].filter((share) => share >= 0.8);
    expect(enough.length).toBeGreaterThanOrEqual(all.length * 0.8);
  });
});
