/** Routes by which the schemas of a draft go to a workbook and come back, or come from a ledger. For the owner of the policy only. */
import { z } from 'zod';
import { refused } from '../answers.js';
import { component } from '../component.js';
import { XLSX, ZIP } from '../file-types.js';
import { policyId } from '../parameter.js';
import { route, type Answer, type Body } from '../route.js';
import { edited } from './editing.js';
import { publishedUnder } from './policies.js';

/** A workbook is a zip archive, as which some programs send it. */
export const workbookFile = {
  kind: 'bytes',
  types: [XLSX, ZIP, 'application/octet-stream', 'application/x-zip-compressed', 'binary/octet-stream'],
} as const satisfies Body;

export const workbookAnswer = {
  description: 'The workbook.',
  mediaType: XLSX,
  schema: z.string(),
  headers: { 'Content-Disposition': z.string().describe('The file name.') },
} as const satisfies Answer;

export const sheetFinding = component(
  'SheetFinding',
  z.object({
    severity: z.enum(['error', 'warning']),
    code: z.string(),
    sheet: z.string().describe('The name of the sheet.'),
    cell: z.string().optional().describe('The address of the cell, such as `D7`.'),
    message: z.string(),
  }),
  { severity: 'error', code: 'TYPE_UNKNOWN', sheet: 'Project', cell: 'B7', message: '"Nmber" is no field type.' },
);

const keys = z.array(z.string());
const schemaPreview = component(
  'SchemaPreview',
  z.object({
    iri: z.string(),
    name: z.string(),
    change: z.enum(['added', 'changed', 'same']),
    added: keys.describe('Keys of the fields that the import adds.'),
    removed: keys,
    changed: keys,
  }),
);

const previewed = {
  schemas: z.array(schemaPreview).describe('Of each schema of the import; others stay as they are.'),
  findings: z.array(sheetFinding),
};

const imported = {
  ...edited,
  schema: component('ImportedSchemas', z.object({ ...edited.schema.shape, ...previewed })),
} as const satisfies Answer;

const managed = { permission: 'POLICIES_POLICY_MANAGE', params: { policyId }, query: { kind: 'none' } } as const;

export const workbookRoutes = {
  exportSchemas: route({
    method: 'GET',
    path: '/policies/{policyId}/schemas/export/xlsx',
    summary: 'Exports the schemas of a policy as a workbook.',
    ...managed,
    body: { kind: 'none' },
    answers: { 200: workbookAnswer, ...refused(400, 404, 413) },
  }),
  previewSchemas: route({
    method: 'POST',
    path: '/policies/{policyId}/schemas/import/xlsx/preview',
    summary: 'Lists what an import of a workbook would change in the schemas of a policy, and its findings by cell.',
    ...managed,
    body: workbookFile,
    answers: {
      200: {
        description: 'The changes and the findings. Nothing is stored.',
        schema: component('SchemaImportPreview', z.object({ revision: z.int(), ...previewed })),
        headers: edited.headers,
      },
      ...refused(400, 404, 413, 415, 422),
    },
  }),
  importSchemas: route({
    method: 'POST',
    path: '/policies/{policyId}/schemas/import/xlsx',
    summary:
      'Imports the schemas of a workbook into a draft, as one edit: all of them or, if a cell has an error, none. Importing the same workbook again changes nothing.',
    ...managed,
    body: workbookFile,
    takesIfMatch: true,
    answers: {
      200: imported,
      ...refused(400, 404, 409, 412, 413, 415, 422),
    },
  }),
  importPublishedSchema: route({
    method: 'POST',
    path: '/policies/{policyId}/schemas/import/message',
    summary:
      'Imports a schema that was published on a ledger into a draft, by the id of the message that published it. Importing the same again changes nothing.',
    ...managed,
    body: { kind: 'json', schema: publishedUnder },
    takesIfMatch: true,
    answers: { 200: imported, ...refused(400, 404, 409, 412, 413, 415, 422) },
  }),
} as const;
