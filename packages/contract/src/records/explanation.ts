/** Explanations of why a block is or is not available to a user, and does or does not show them a document. */
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
    role: z.string().nullable().describe('Role in the active membership.'),
    group: z.string().nullable().describe('UUID of the active group.'),
    isOwner: z.boolean(),
    memberships: z.array(groupMembership).describe('All memberships, active or not.'),
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
    isActive: z.boolean().nullable().describe('`null` if permissions decide before activity is checked.'),
    cause: z
      .enum(['role', 'group', 'hidden', 'step', 'dependency'])
      .optional()
      .describe(
        '`role`: the role lacks permission. `group`: permitted in a group that is not active. `hidden`: the addon is switched off. `step`: the parent is at another step. `dependency`: another block is not completed.',
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
      code: z.string().describe('The error code the request would fail with.'),
      reason: z.string(),
    }),
  ]),
);

export const blockExplanation = component(
  'BlockExplanation',
  z.object({
    block: explainedBlock,
    as: explainedUser,
    status: z.string().describe('Status of the policy.'),
    outcome,
    reason,
    steps: z.array(step).describe('From the root to the block.'),
    read: verdict,
    send: verdict.describe('Regardless of the data sent.'),
  }),
);

const condition = component(
  'ExplainedCondition',
  z.object({
    by: z.string().describe('Tag of the block that imposes it.'),
    /** `{path, op, value}`, or `{all}`, `{any}`, `{not}` of such. */
    condition: json,
    isMet: z.boolean(),
    /** The value in the document; visible to the policy's owner only. */
    found: json.optional(),
  }),
);

export const selectionExplanation = component(
  'SelectionExplanation',
  z.object({
    block: explainedBlock,
    as: explainedUser,
    documentId: z.string(),
    isShown: z.boolean().describe('Whether the document is shown, on any page.'),
    outcome: outcome.describe('Availability of the block.'),
    reason,
    sources: z
      .array(
        z.object({
          tag: z.string(),
          outcome: z
            .enum(['selected', 'shadowed', 'dropped', 'inactive'])
            .describe('`shadowed`: an earlier source already shows it. `dropped`: a condition is not met.'),
          reason,
          conditions: z.array(condition).describe('All must be met.'),
        }),
      )
      .describe('In order of precedence, unavailable sources last.'),
  }),
);
