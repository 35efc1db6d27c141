/** Routes that change the status of a policy and report on it. */
import { policyRecord } from '../records/policy-record.js';
import { importedPolicy, policyFile } from './policies.js';
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { finding } from '../records/finding.js';
import { policyId } from '../parameter.js';
import { route } from '../route.js';
import type { Answer } from '../route.js';

const publication = component('Publication', z.looseObject({ policyVersion: z.string() }), { policyVersion: '1.0.0' });
const discontinuation = component(
  'Discontinuation',
  z.looseObject({ date: z.iso.datetime({ offset: true }).nullish().describe('At once if absent.') }),
  { date: '2027-01-01T00:00:00Z' },
);
const policyChange = component(
  'PolicyChange',
  z.object({
    area: z.enum(['policy', 'role', 'token', 'schema', 'block', 'event', 'file']),
    name: z.string().describe('What changed: a role, a token, a schema, or the tag of a block.'),
    change: z.string().describe('One sentence.'),
  }),
  { area: 'role', name: 'Verifier', change: 'can now use "decide" (buttonBlock)' },
);
const count = z.int().nonnegative();
const removedRecords = z.object({
  memberships: count,
  documents: count.describe('With their earlier versions.'),
  states: count.describe('What blocks remembered.'),
  ledger: count,
  journal: count,
  notifications: count,
});
export const statusChange = {
  description: 'The policy, and whether its status changed; a policy with errors keeps its status.',
  schema: component(
    'StatusChange',
    z.object({
      policy: policyRecord,
      isValid: z.boolean(),
      findings: z.array(finding),
      removed: removedRecords
        .optional()
        .describe('How many records of the draft or dry run the change has deleted. Absent if it deletes none.'),
    }),
  ),
} as const satisfies Answer;

export const lifecycleRoutes = {
  replacePolicyFile: route({
    method: 'PUT',
    path: '/policies/{policyId}/file',
    summary: 'Puts another policy file in place of that of a draft, which keeps its id and what was done in it.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: policyFile,
    answers: {
      200: { description: 'The policy and its problems.', schema: importedPolicy },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  deletePolicy: route({
    method: 'DELETE',
    path: '/policies/{policyId}',
    summary: 'Deletes a draft with everything that was done in it.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'How many records were deleted.', schema: z.object({ removed: removedRecords }) },
      ...refused(400, 404, 409, 413),
    },
  }),
  dryRunPolicy: route({
    method: 'PUT',
    path: '/policies/{policyId}/dry-run',
    summary:
      'Starts a dry run of a draft: it works as if published, on records that are discarded afterwards. Deletes what was done in the draft.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: statusChange, ...refused(400, 404, 409) },
  }),
  draftPolicy: route({
    method: 'PUT',
    path: '/policies/{policyId}/draft',
    summary: 'Ends a dry run: the policy is a draft again, without the records of the dry run.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: statusChange, ...refused(400, 404, 409) },
  }),
  publishPolicy: route({
    method: 'PUT',
    path: '/policies/{policyId}/publish',
    summary: 'Publishes a policy under a version.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: publication },
    answers: { 200: statusChange, ...refused(400, 404, 409, 413, 415, 422) },
  }),
  discontinuePolicy: route({
    method: 'PUT',
    path: '/policies/{policyId}/discontinue',
    summary: 'Discontinues a published policy, now or at a date.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: discontinuation },
    answers: { 200: statusChange, ...refused(400, 404, 409, 413, 415, 422) },
  }),
  makeNextVersion: route({
    method: 'POST',
    path: '/policies/{policyId}/versions',
    summary:
      'Makes a draft of the next version of a published policy, with everything that it came with. The policy itself goes on as before.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      201: { description: 'The draft and its problems.', schema: importedPolicy },
      ...refused(400, 404, 409, 413),
    },
  }),
  listVersions: route({
    method: 'GET',
    path: '/policies/{policyId}/versions',
    summary:
      'Lists all versions of a policy, itself among them: the highest first, drafts of the next one before those.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Policies, as the caller sees them.', schema: z.array(policyRecord), headers: totalCount },
      ...refused(400, 404),
    },
  }),
  listChanges: route({
    method: 'GET',
    path: '/policies/{policyId}/changes',
    summary:
      'Lists what is different in a policy from another one, such as its previous version, by meaning. For the owner of both.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'listed', schema: z.object({ since: policyId.schema }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'What is different.', schema: z.array(policyChange), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
  listFindings: route({
    method: 'GET',
    path: '/policies/{policyId}/findings',
    summary: 'Lists the problems of a policy. Errors prevent its publication.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Findings.', schema: z.array(finding), headers: totalCount },
      ...refused(400, 404),
    },
  }),
} as const;
