/** Routes about whole policies. */
import { uuid } from '../records/identifiers.js';
import { groupMembership, navigationStep } from '../records/policy-parts.js';
import { policyRecord } from '../records/policy-record.js';
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { finding } from '../records/finding.js';
import { pageQuery } from '../query-parameters.js';
import { policyId } from '../parameter.js';
import { route } from '../route.js';
import { openApi } from './documents.js';
import type { Body } from '../route.js';

/** A policy archive. */
export const policyFile = {
  kind: 'bytes',
  types: [
    'application/zip',
    'application/json',
    'application/octet-stream',
    'application/x-zip-compressed',
    'binary/octet-stream',
  ],
} as const satisfies Body;

export const importedPolicy = component('Import', z.object({ policy: policyRecord, findings: z.array(finding) }));

export const publishedUnder = component(
  'PublishedUnder',
  z.object({
    messageId: z
      .string()
      .regex(/^\d{1,12}\.\d{9}$/)
      .describe('The consensus timestamp of the message.'),
  }),
);

export const policyRoutes = {
  listPolicies: route({
    method: 'GET',
    path: '/policies',
    summary: 'Lists the policies.',
    permission: 'POLICIES_POLICY_READ',
    params: {},
    query: { kind: 'listed', schema: pageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Policies, as the caller sees them.', schema: z.array(policyRecord), headers: totalCount },
      ...refused(413, 422),
    },
  }),
  importPolicyFile: route({
    method: 'POST',
    path: '/policies/import/file',
    summary: 'Imports a policy file: a zip archive, or a policy written by hand as JSON.',
    permission: 'POLICIES_POLICY_CREATE',
    params: {},
    query: { kind: 'none' },
    body: policyFile,
    answers: {
      201: {
        description: 'The imported policy and its problems.',
        schema: importedPolicy,
      },
      ...refused(400, 409, 413, 415, 422),
    },
  }),
  importPublishedPolicy: route({
    method: 'POST',
    path: '/policies/import/message',
    summary: 'Imports a policy that was published on a ledger, by the id of the message that published it.',
    permission: 'POLICIES_POLICY_CREATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'json', schema: publishedUnder },
    answers: {
      201: { description: 'The imported policy and its problems.', schema: importedPolicy },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  getPolicy: route({
    method: 'GET',
    path: '/policies/{policyId}',
    summary: 'Reads one policy.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The policy, as the caller sees it.', schema: policyRecord },
      ...refused(400, 404),
    },
  }),
  exportPolicyFile: route({
    method: 'GET',
    path: '/policies/{policyId}/export/file',
    summary:
      'Exports a policy as a file (a zip archive), with everything from its original archive and its tools. For its owner only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: {
        description: 'The policy file, ready to import.',
        mediaType: 'application/zip',
        schema: z.string(),
        headers: { 'Content-Disposition': z.string().describe('The file name.') },
      },
      ...refused(400, 404, 413),
    },
  }),
  getPolicyOpenApi: route({
    method: 'GET',
    path: '/policies/{policyId}/openapi.json',
    summary:
      'Describes the blocks of a policy as an OpenAPI document: forms, grids and buttons, with the roles that may call them. The owner sees all blocks, other callers those for their roles.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'OpenAPI 3.1.', schema: openApi }, ...refused(400, 404, 413) },
  }),
  listTokens: route({
    method: 'GET',
    path: '/policies/{policyId}/tokens',
    summary: 'Lists the identifiers of the tokens of a policy, in the order of its block tree.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Token identifiers without duplicates.', schema: z.array(z.string()), headers: totalCount },
      ...refused(400, 404),
    },
  }),
  listGroups: route({
    method: 'GET',
    path: '/policies/{policyId}/groups',
    summary: 'Lists the groups of the caller.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Group memberships of the caller.', schema: z.array(groupMembership), headers: totalCount },
      ...refused(400, 404),
    },
  }),
  switchGroup: route({
    method: 'POST',
    path: '/policies/{policyId}/groups',
    summary: 'Activates one of the groups of the caller; `null` deactivates all.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'json', schema: component('GroupChoice', z.object({ uuid: uuid.nullable() }), { uuid: null }) },
    answers: {
      200: { description: 'Whether the group is active.', schema: z.boolean() },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  getNavigation: route({
    method: 'GET',
    path: '/policies/{policyId}/navigation',
    summary: 'Lists the navigation steps for the role of the caller.',
    permission: 'POLICIES_POLICY_EXECUTE',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Steps, in order.', schema: z.array(navigationStep), headers: totalCount },
      ...refused(400, 404),
    },
  }),
} as const;
