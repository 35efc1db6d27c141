/** Tools that look at a whole policy: play it at random, and compare it. */
import { standardBlocks } from '@blockwork/blocks';
import { policyChanges, readPolicy } from '@blockwork/core/files';
import { z } from 'zod';
import { ANSWER_BYTES, cut } from '../answer.js';
import { offset, policy } from './inputs.js';
import { pageFrom } from './pages.js';
import { reads, tool } from './tool.js';

/** So many moves take some seconds. */
const MOST_STEPS = 5_000;

const explorePolicy = tool({
  name: 'explore_policy',
  title: 'Explore a policy with random users',
  description:
    'Plays a policy with random but valid users, and reports blocks that nobody can reach, dead ends, failures and broken invariants, each with the steps that lead there. The same seed gives the same report. It works on a copy.',
  input: z.strictObject({
    policy,
    seed: z.int().min(0).max(9_999_999).default(1),
    steps: z.int().min(1).max(MOST_STEPS).default(500).describe('Moves of users; more find more, and take longer.'),
    invariants: z
      .array(z.string().min(1).max(500))
      .max(20)
      .default([])
      .describe('What must always hold, such as "only Verifier approves" or "expect mints <= approved".'),
  }),
  hints: reads,
  run: async ({ policy: name, seed, steps, invariants }, { workspace }) => {
    const { explorationReport, explored } = await import('../../commands/explore.js');
    const exploration = await explored(await workspace.source(name), { seed, steps, invariants });
    const { text, isDefect } = explorationReport(exploration);
    return { hasDefects: isDefect, report: cut(text, ANSWER_BYTES / 2) };
  },
});

const comparePolicies = tool({
  name: 'compare_policies',
  title: 'Compare policies by meaning',
  description:
    'Lists what differs from one policy to another: what roles can now do, tokens, fields of schemas, blocks, events. Without "before": from what the policy was before the first edit of this session.',
  input: z.strictObject({
    policy,
    before: policy.optional().describe('The other policy; as list_policies names it.'),
    offset,
  }),
  hints: reads,
  run: async ({ policy: name, before, offset: from }, { workspace, originals }) => {
    const after = await workspace.source(name);
    const other = before === undefined ? (originals.get(name) ?? after) : await workspace.source(before);
    const options = { blocks: standardBlocks(), check: false };
    return pageFrom(policyChanges(await readPolicy(other, options), await readPolicy(after, options)), from);
  },
});

export const comparingTools = [explorePolicy, comparePolicies];
