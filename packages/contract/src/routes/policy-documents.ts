/** Routes about the documents of a policy and their schemas. */
import { z } from 'zod';
import { component } from '../component.js';
import { refused, totalCount } from '../answers.js';
import { documentId, policyId, schemaIri } from '../parameter.js';
import { boundedPageQuery, bundleQuery, first, identity } from '../query-parameters.js';
import { collections, documentDerivation, documentDetails, policyDocument, trustChain } from '../records/document.js';
import { json } from '../records/json.js';
import { proofBundle } from '../records/proof-bundle.js';
import { route } from '../route.js';

/** Auditors see every published policy, owners their own. */
export const auditing = { permission: 'POLICIES_POLICY_AUDIT', orPermission: 'POLICIES_POLICY_MANAGE' } as const;

const filter = boundedPageQuery.extend({
  dataType: z.enum(collections).optional(),
  schema: z.string().optional().describe('IRI.'),
  type: z.string().optional().describe('The entity type.'),
  owner: identity.optional(),
  status: z.string().optional().describe('`option.status`.'),
  from: first,
});

const schemaFacts = { id: z.string().describe('IRI.'), name: z.string(), entity: z.string(), status: z.string() };
const schemaSummary = component('SchemaSummary', z.object(schemaFacts));
const policySchema = component(
  'PolicySchema',
  z.object({
    ...schemaFacts,
    document: z
      .record(z.string(), json)
      .nullable()
      .describe('The JSON Schema; `null` if the policy file has none that can be parsed.'),
  }),
);

const amount = z.int().min(0);
const policyOverview = component(
  'PolicyOverview',
  z.object({
    documents: z.object({
      total: amount.describe('All documents, also those of no schema of the policy.'),
      bySchema: z
        .array(z.object({ id: z.string().describe('IRI.'), name: z.string(), count: amount }))
        .describe('Schemas that have documents, most first.'),
    }),
    people: z.object({
      total: amount,
      byRole: z
        .array(z.object({ role: z.string(), count: amount }))
        .describe('All roles of the policy. A person has the role of their active group.'),
    }),
  }),
  {
    documents: { total: 60, bySchema: [{ id: '#site', name: 'Site', count: 52 }] },
    people: {
      total: 35,
      byRole: [
        { role: 'Producer', count: 31 },
        { role: 'Verifier', count: 4 },
      ],
    },
  },
);

export const policyDocumentRoutes = {
  getOverview: route({
    method: 'GET',
    path: '/policies/{policyId}/overview',
    summary: 'Counts the documents of a policy by schema, and its people by role. For its owner and for auditors.',
    ...auditing,
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The numbers.', schema: policyOverview }, ...refused(400, 404) },
  }),
  listDocuments: route({
    method: 'GET',
    path: '/policies/{policyId}/documents',
    summary: 'Lists the documents of a policy that match all filters. For its owner and for auditors.',
    ...auditing,
    params: { policyId },
    query: { kind: 'listed', schema: filter },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Documents.', schema: z.array(policyDocument), headers: totalCount },
      ...refused(400, 404, 413, 422),
    },
  }),
  getDocument: route({
    method: 'GET',
    path: '/policies/{policyId}/documents/{documentId}',
    summary: 'Reads one document, with its verified proof, its relations, and the mints it triggered.',
    ...auditing,
    params: { policyId, documentId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The document.', schema: documentDetails }, ...refused(400, 404) },
  }),
  getTrustChain: route({
    method: 'GET',
    path: '/policies/{policyId}/documents/{documentId}/trust-chain',
    summary: 'Traces a document back to everything it builds on: signers, roles, and whether each proof holds.',
    ...auditing,
    params: { policyId, documentId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The chain.', schema: trustChain }, ...refused(400, 404) },
  }),
  getDerivation: route({
    method: 'GET',
    path: '/policies/{policyId}/documents/{documentId}/derivation',
    summary:
      'Explains how the fields of a calculated document are derived: from which documents, and by which formulas.',
    ...auditing,
    params: { policyId, documentId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The recomputed derivation, by block.', schema: documentDerivation },
      ...refused(400, 404, 413),
    },
  }),
  getDocumentBundle: route({
    method: 'GET',
    path: '/policies/{policyId}/documents/{documentId}/bundle',
    summary: 'Returns everything needed to verify a document without this instance. Check it with `blockwork verify`.',
    ...auditing,
    params: { policyId, documentId },
    query: { kind: 'listed', schema: bundleQuery },
    body: { kind: 'none' },
    answers: { 200: { description: 'The bundle.', schema: proofBundle }, ...refused(400, 404, 409, 413, 422) },
  }),
  listSchemas: route({
    method: 'GET',
    path: '/policies/{policyId}/schemas',
    summary: 'Lists the schemas of a policy and of its tools, without their fields.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Schemas.', schema: z.array(schemaSummary), headers: totalCount },
      ...refused(400, 404),
    },
  }),
  getSchema: route({
    method: 'GET',
    path: '/policies/{policyId}/schemas/{iri}',
    summary: 'Reads one schema of a policy or of its tools.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId, iri: schemaIri },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The schema.', schema: policySchema }, ...refused(400, 404) },
  }),
} as const;
