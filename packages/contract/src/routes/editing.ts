/** Routes by which policies are made and drafts are edited. For the owner of the policy only. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { component } from '../component.js';
import { editOperations } from '../edit-operations.js';
import { policyId } from '../parameter.js';
import { boundedPageQuery } from '../query-parameters.js';
import { finding } from '../records/finding.js';
import { timestamp } from '../records/identifiers.js';
import { navigationEntry, policyGroup, policyToken, policyTopic } from '../records/policy-parts.js';
import { route } from '../route.js';
import { importedPolicy } from './policies.js';
import type { Answer } from '../route.js';

const definition = component(
  'PolicyDefinition',
  z
    .looseObject({
      name: z.string(),
      description: z.string(),
      topicDescription: z.string(),
      policyRoles: z.array(z.string()),
      policyGroups: z.array(policyGroup),
      policyTopics: z.array(policyTopic),
      policyTokens: z.array(policyToken),
      policyNavigation: z.array(navigationEntry),
      categories: z.array(z.string()),
      config: z.record(z.string(), z.unknown()).describe('The root block.'),
      schemas: z.array(z.record(z.string(), z.unknown())),
      tokens: z.array(z.record(z.string(), z.unknown())),
    })
    .describe('What a policy file holds, as in `policy.schema.json`.'),
);

/** As authors write it: what is missing is completed. */
const writtenDefinition = component(
  'WrittenDefinition',
  z.looseObject({ name: z.string(), config: z.record(z.string(), z.unknown()) }),
  { name: 'Small', config: { blockType: 'interfaceContainerBlock', permissions: ['ANY_ROLE'], children: [] } },
);

const editId = z.string().describe('Twelve digits: the revision of the definition after the edit.');

const edit = component(
  'Edit',
  z.object({
    id: editId,
    base: z.string().describe('The revision before it.'),
    at: timestamp,
    did: z.string().describe('The author.'),
    operations: z.array(editOperations.element).describe('As applied: with the ids of blocks and all positions.'),
    inverse: z.array(editOperations.element).describe('The operations that undo it.'),
    writes: z.array(z.string()).describe('The places that it changed.'),
    undoes: editId.optional().describe('The edit that it undoes.'),
  }),
);

export const edited = {
  description: 'The revision of the definition, and the edit; `null` if there was nothing to change.',
  schema: component('Edited', z.object({ revision: z.int(), edit: edit.nullable() })),
  headers: { ETag: z.string().describe('The revision in quotes, for `If-Match`.') },
} as const satisfies Answer;

const change = component(
  'Change',
  z.union([z.strictObject({ operations: editOperations }), z.strictObject({ undo: editId })]),
  { operations: [{ op: 'renameTag', block: 'apply', tag: 'application' }] },
);

const operations = component('Operations', z.strictObject({ operations: editOperations }), {
  operations: [{ op: 'removeBlock', block: 'apply' }],
});

const findings = { description: 'Findings.', schema: z.array(finding), headers: totalCount } as const;

const blockKind = z.enum(['container', 'interface', 'server', 'source', 'filter', 'paging', 'history', 'addon']);
const blockType = component(
  'BlockType',
  z.object({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    kind: blockKind,
    children: z.union([z.enum(['any', 'none']), z.array(blockKind)]).describe('Kinds of children it works with.'),
    parents: z.array(z.string()).nullable().describe('Block types under which it works; `null` for any.'),
    readable: z.boolean(),
    writable: z.boolean(),
    inputs: z.array(z.string()),
    outputs: z.array(z.string()),
    moreOutputs: z.boolean().describe('Whether its options add outputs, such as the tags of its buttons.'),
    options: z.record(z.string(), z.unknown()).describe('JSON Schema of its options.'),
  }),
);

const template = component('Template', z.object({ name: z.string(), title: z.string(), description: z.string() }));
const newPolicy = component(
  'NewPolicy',
  z.strictObject({
    name: z.string().min(1).max(500),
    template: z.string().max(200).optional().describe('Default: `empty`.'),
  }),
  { name: 'Certificates', template: 'empty' },
);

const managed = { permission: 'POLICIES_POLICY_MANAGE', params: { policyId }, query: { kind: 'none' } } as const;

export const editingRoutes = {
  createPolicy: route({
    method: 'POST',
    path: '/policies',
    summary: 'Creates a draft from a template.',
    permission: 'POLICIES_POLICY_CREATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'json', schema: newPolicy },
    answers: {
      201: { description: 'The draft and its problems.', schema: importedPolicy },
      ...refused(400, 404, 409, 413, 415, 422),
    },
  }),
  listTemplates: route({
    method: 'GET',
    path: '/templates',
    summary: 'Lists the templates for new policies.',
    permission: 'POLICIES_POLICY_CREATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'Templates.', schema: z.array(template), headers: totalCount }, ...refused() },
  }),
  listBlockTypes: route({
    method: 'GET',
    path: '/block-types',
    summary: 'Lists the block types that policies may use, with their options as JSON Schema.',
    permission: 'POLICIES_POLICY_READ',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'Block types.', schema: z.array(blockType), headers: totalCount }, ...refused() },
  }),
  checkDefinition: route({
    method: 'POST',
    path: '/policies/check',
    summary: 'Lists the problems of a policy that is not stored.',
    permission: 'POLICIES_POLICY_CREATE',
    params: {},
    query: { kind: 'none' },
    body: { kind: 'json', schema: writtenDefinition, checkedBy: 'engine', large: true },
    answers: { 200: findings, ...refused(400, 413, 415, 422) },
  }),
  getDefinition: route({
    method: 'GET',
    path: '/policies/{policyId}/definition',
    summary: 'Reads the definition of a policy, as a policy file holds it.',
    ...managed,
    body: { kind: 'none' },
    answers: {
      200: { description: 'The definition.', schema: definition, headers: edited.headers },
      ...refused(400, 404),
    },
  }),
  replaceDefinition: route({
    method: 'PUT',
    path: '/policies/{policyId}/definition',
    summary: 'Replaces the definition of a draft: the parts that differ. Its data is kept.',
    ...managed,
    body: { kind: 'json', schema: writtenDefinition, checkedBy: 'engine', large: true },
    takesIdempotencyKey: true,
    takesIfMatch: true,
    answers: { 200: edited, ...refused(400, 404, 409, 412, 413, 415, 422) },
  }),
  editPolicy: route({
    method: 'POST',
    path: '/policies/{policyId}/edits',
    summary:
      'Edits a draft, or undoes an edit: all operations or none. Edits that others made since the revision in `If-Match` are kept, unless they changed the same.',
    ...managed,
    body: { kind: 'json', schema: change, checkedBy: 'engine', large: true },
    takesIdempotencyKey: true,
    takesIfMatch: true,
    answers: { 200: edited, ...refused(400, 404, 409, 412, 413, 415, 422) },
  }),
  listEdits: route({
    method: 'GET',
    path: '/policies/{policyId}/edits',
    summary: 'Lists the latest edits of a draft, newest first.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Edits.', schema: z.array(edit), headers: totalCount },
      ...refused(400, 404, 413, 422),
    },
  }),
  checkPolicy: route({
    method: 'POST',
    path: '/policies/{policyId}/check',
    summary: 'Lists the problems that a policy would have after these operations. Nothing is stored.',
    ...managed,
    body: { kind: 'json', schema: operations, checkedBy: 'engine', large: true },
    answers: { 200: findings, ...refused(400, 404, 413, 415, 422) },
  }),
} as const;
