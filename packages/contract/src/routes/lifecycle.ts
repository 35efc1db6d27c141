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
  z.looseObject({ date: z.iso.datetime({ offset: true }).nullish().describe('Immediately if absent.') }),
  { date: '2027-01-01T00:00:00Z' },
);
const policyChange = component(
  'PolicyChange',
  z.object({
    area: z.enum(['policy', 'role', 'token', 'schema', 'block', 'event', 'file']),
    name: z.string().describe('The changed role, token, schema, or tag of a block.'),
    change: z.string().describe('One sentence.'),
  }),
  { area: 'role', name: 'Verifier', change: 'can now use "decide" (buttonBlock)' },
);
const count = z.int().nonnegative();
const removedRecords = z.object({
  memberships: count,
  documents: count.describe('Including earlier versions.'),
  states: count.describe('Block states.'),
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
        .describe('Number of records of the draft or dry run deleted by the change. Absent if none.'),
    }),
  ),
} as const satisfies Answer;

export const lifecycleRoutes = {
  replacePolicyFile: route({
    method: 'PUT',
    path: '/policies/{policyId}/file',
    summary: 'Replaces the policy file of a draft, which keeps its id and data.',
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
    summary: 'Deletes a draft and its data.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Number of records deleted.', schema: z.object({ removed: removedRecords }) },
      ...refused(400, 404, 409, 413),
    },
  }),
  dryRunPolicy: route({
    method: 'PUT',
    path: '/policies/{policyId}/dry-run',
    summary:
      'Starts a dry run of a draft: it works as if published, on records that are discarded afterwards. Deletes the data of the draft.',
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
      'Creates a draft of the next version of a published policy, including all files of its archive. The published policy is unaffected.',
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
      'Lists all versions of a policy, including this one: drafts of the next version first, then highest first.',
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
    summary: 'Compares a policy semantically with another, such as its previous version. For the owner of both.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'listed', schema: z.object({ since: policyId.schema }) },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The differences.', schema: z.array(policyChange), headers: totalCount },
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
