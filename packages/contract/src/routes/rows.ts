/** Routes for rows of sheets: the documents of a grid as a file, and many documents for a form, checked row by row. */
import { z } from 'zod';
import { refused } from '../answers.js';
import { component } from '../component.js';
import { CSV } from '../file-types.js';
import { blockUuid, policyId } from '../parameter.js';
import { route } from '../route.js';
import { sheetFinding, workbookAnswer, workbookFile } from './workbooks.js';
import { readQuery } from './blocks.js';

const ofBlock = { permission: 'POLICIES_POLICY_EXECUTE', params: { policyId, uuid: blockUuid } } as const;

const problem = z.object({
  path: z.string().describe('JSON pointer into what would be sent.'),
  message: z.string(),
  cell: z.string().describe('The cell, such as `Rows!C7`.'),
});

const checkedRows = component(
  'CheckedRows',
  z.object({
    rows: z.array(
      z.object({
        row: z.int().describe('The row of the sheet.'),
        document: z.record(z.string(), z.unknown()).describe('What is to be sent as `document`.'),
        problems: z.array(problem).describe('Empty if the form takes the document.'),
      }),
    ),
    findings: z.array(sheetFinding).describe('What is wrong with the workbook itself.'),
  }),
);

export const rowRoutes = {
  exportRows: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks/{uuid}/rows/xlsx',
    summary:
      'Exports the documents of a grid as a workbook: all that the caller sees there, with a column for each answer.',
    ...ofBlock,
    query: readQuery,
    body: { kind: 'none' },
    answers: { 200: workbookAnswer, ...refused(400, 404, 405, 409, 413, 422) },
  }),
  exportRowsAsCsv: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks/{uuid}/rows/csv',
    summary: 'Exports the documents of a grid as comma-separated values, for spreadsheet programs.',
    ...ofBlock,
    query: readQuery,
    body: { kind: 'none' },
    answers: {
      200: { ...workbookAnswer, description: 'The file.', mediaType: CSV },
      ...refused(400, 404, 405, 409, 413, 422),
    },
  }),
  getRowTemplate: route({
    method: 'GET',
    path: '/policies/{policyId}/blocks/{uuid}/rows/template',
    summary: 'A workbook with the columns of a form, in which each row becomes a document.',
    ...ofBlock,
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: workbookAnswer, ...refused(400, 404, 405, 409, 413, 422) },
  }),
  checkRows: route({
    method: 'POST',
    path: '/policies/{policyId}/blocks/{uuid}/rows/check',
    summary:
      'Checks the rows of a filled-in template, or of comma-separated values, as the form would. Nothing is sent.',
    ...ofBlock,
    query: { kind: 'none' },
    body: { ...workbookFile, types: [...workbookFile.types, CSV] },
    answers: {
      200: { description: 'What is to be sent for each row, and its problems.', schema: checkedRows },
      ...refused(400, 404, 405, 409, 413, 415, 422),
    },
  }),
} as const;
