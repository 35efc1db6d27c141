/** Explanations: why a block is open to somebody or not, and why it shows them a document or not. */
import { z } from 'zod';
import { component } from '../component.js';
import { json } from './json.js';
import { groupMembership } from './policy-parts.js';

const block = { uuid: z.string(), tag: z.string(), blockType: z.string() };
export const explainedBlock = component('ExplainedBlock', z.object(block));

const explainedUser = component(
  'ExplainedUser',
  z.object({
    did: z.string(),
    role: z.string().nullable().describe('Of the active membership.'),
    group: z.string().nullable().describe('UUID of the active group.'),
    isOwner: z.boolean(),
    memberships: z.array(groupMembership).describe('Active or not.'),
  }),
);

const outcome = z.enum(['allowed', 'unknown', 'forbidden', 'inactive']);
const reason = z.string().optional().describe('Absent if allowed.');

const step = component(
  'ExplainedStep',
  z.object({
    ...block,
    permissions: z.array(z.string()),
    isPermitted: z.boolean(),
    isActive: z.boolean().nullable().describe('`null` where a permission decides before anybody asks.'),
    cause: z
      .enum(['role', 'group', 'hidden', 'step', 'dependency'])
      .optional()
      .describe(
        '`role`: not for this role. `group`: for a role in a group that is not active. `hidden`: an addon that is switched off. `step`: the parent is at another step. `dependency`: another block was not completed.',
      ),
    reason,
  }),
);

const verdict = component(
  'Verdict',
  z.discriminatedUnion('isAllowed', [
    z.object({ isAllowed: z.literal(true) }),
    z.object({
      isAllowed: z.literal(false),
      code: z.string().describe('The error that the request would be refused with.'),
      reason: z.string(),
    }),
  ]),
);

export const blockExplanation = component(
  'BlockExplanation',
  z.object({
    block: explainedBlock,
    as: explainedUser,
    status: z.string().describe('Of the policy.'),
    outcome,
    reason,
    steps: z.array(step).describe('From the root to the block.'),
    read: verdict,
    send: verdict.describe('Whatever is sent.'),
  }),
);

const condition = component(
  'ExplainedCondition',
  z.object({
    by: z.string().describe('Tag of the block that demands it.'),
    /** `{path, op, value}`, or `{all}`, `{any}`, `{not}` of such. */
    condition: json,
    isMet: z.boolean(),
    /** What the document has there; for the policy's owner only. */
    found: json.optional(),
  }),
);

export const selectionExplanation = component(
  'SelectionExplanation',
  z.object({
    block: explainedBlock,
    as: explainedUser,
    documentId: z.string(),
    isShown: z.boolean().describe('On whichever page.'),
    outcome: outcome.describe('Of the block, as in its availability.'),
    reason,
    sources: z
      .array(
        z.object({
          tag: z.string(),
          outcome: z
            .enum(['selected', 'shadowed', 'dropped', 'forbidden', 'inactive'])
            .describe('`shadowed`: an earlier source shows it. `dropped`: a condition is not met.'),
          reason,
          conditions: z.array(condition).describe('All of them have to be met.'),
        }),
      )
      .describe('In the order of precedence, then those that are not open.'),
  }),
);
