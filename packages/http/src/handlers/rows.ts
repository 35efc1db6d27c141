/** Handlers of the routes that carry rows of sheets: documents of a grid, and documents for a form. */
import { CSV } from '@blockwork/contract/file-types';
import { BlockworkError, isBlockworkError } from '@blockwork/core';
import { isObject, type ErrorDetail } from '@blockwork/core/records';
import type { DocumentTable, FormTable, SheetDocument } from '@blockwork/spreadsheet';
import type { Call, HandlersOf, RoutesOf } from './call.js';
import { ok } from './replies.js';
import { orRefused, spreadsheet, workbookFile, workbookLimits } from './spreadsheet.js';

/** Rows of one answer of a grid. */
const PAGE = 100;
/** Rows in one file. */
const ROWS = 20_000;
/** Rows in one check. */
const CHECKED = 1_000;

export const rowHandlers: HandlersOf<RoutesOf<'Rows'>> = {
  exportRows: async (call) => {
    const table = await tableOf(call);
    const { tableWorkbook } = await spreadsheet();
    return workbookFile(call.params.uuid, () => tableWorkbook(table));
  },
  exportRowsAsCsv: async (call) => {
    const table = await tableOf(call);
    const { tableCsv } = await spreadsheet();
    return { status: 200, file: { name: `${call.params.uuid}.csv`, type: CSV, content: Buffer.from(tableCsv(table)) } };
  },
  getRowTemplate: async (call) => {
    const tables = await tablesOf(call);
    const { rowTemplate } = await spreadsheet();
    return workbookFile(call.params.uuid, () => rowTemplate(tables));
  },
  checkRows: async (call) => {
    const tables = await tablesOf(call);
    const { readCsvRows, readRows, readWorkbook } = await spreadsheet();
    const { rows, findings } = await orRefused(() =>
      isArchive(call.body)
        ? readRows(readWorkbook(call.body, workbookLimits), tables)
        : readCsvRows(call.body, tables, workbookLimits),
    );
    if (rows.length > CHECKED) {
      const reason = `the sheet has ${String(rows.length)} rows, and ${String(CHECKED)} can be checked at once`;
      throw new BlockworkError('POLICY_FILE_TOO_LARGE', { facts: { reason } });
    }
    const checked = [];
    for (const row of rows) {
      const { document } = row;
      checked.push({ row: row.row, document, problems: await problemsOf(call, row) });
    }
    return ok({ rows: checked, findings });
  },
};

/** Workbooks are zip archives, whatever type they are sent as. */
const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

type BlockCall = Call<'exportRows'> | Call<'exportRowsAsCsv'> | Call<'getRowTemplate'> | Call<'checkRows'>;

/** All rows of the grid, page by page. */
async function tableOf(call: BlockCall): Promise<DocumentTable> {
  const rows = new Map<string, unknown>();
  for (let page = 0; ; page += 1) {
    const answer = await read(call, { page: String(page), itemsPerPage: String(PAGE) });
    const data: unknown = isObject(answer) ? answer['data'] : undefined;
    if (!Array.isArray(data)) throw notThat('shows no rows');
    // A row that has moved to the next page meanwhile is there once.
    for (const row of data as unknown[]) rows.set(idOf(row) ?? `${String(page)}.${String(rows.size)}`, row);
    if (rows.size > ROWS) {
      const reason = `the grid has more than ${String(ROWS)} rows: filter it`;
      throw new BlockworkError('POLICY_FILE_TOO_LARGE', { facts: { reason } });
    }
    const total: unknown = isObject(answer) ? answer['totalCount'] : undefined;
    if (typeof total !== 'number' || data.length === 0 || (page + 1) * PAGE >= total) break;
  }
  const { documentTable } = await spreadsheet();
  return documentTable([...rows.values()]);
}

const idOf = (row: unknown): string | undefined => {
  const id: unknown = isObject(row) ? row['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};

async function tablesOf(call: BlockCall): Promise<FormTable[]> {
  const answer = await read(call, {});
  const schema: unknown = isObject(answer) ? answer['schema'] : undefined;
  if (!isObject(schema) || !Array.isArray(schema['fields'])) throw notThat('is no form with a schema');
  return (await spreadsheet()).formTables(schema);
}

const read = ({ engine, caller, params, query }: BlockCall, own: Record<string, string>): Promise<unknown> =>
  engine.readBlock<unknown>(caller, params.policyId, { uuid: params.uuid }, { ...query, ...own });

function notThat(reason: string): BlockworkError {
  return new BlockworkError('INPUT_INVALID', { facts: { reason: `The block ${reason}.` } });
}

async function problemsOf(
  { engine, caller, params }: BlockCall,
  { document, cellAt }: SheetDocument,
): Promise<(ErrorDetail & { readonly cell: string })[]> {
  try {
    await engine.checkSend(caller, params.policyId, { uuid: params.uuid }, { document, ref: null });
    return [];
  } catch (error) {
    if (!isBlockworkError(error) || error.status !== 422) throw error;
    const details = error.details.length > 0 ? error.details : [{ path: '', message: error.message }];
    return details.map(({ path, message }) => ({ path, message, cell: cellAt(path.replace(/^\/document/, '')) }));
  }
}
