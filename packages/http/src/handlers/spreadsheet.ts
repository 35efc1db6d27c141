/** What reads and writes workbooks: loaded with the first, and with limits that leave room for other work. */
import { XLSX } from '@blockwork/contract/file-types';
import { BlockworkError } from '@blockwork/core';
import type * as Spreadsheet from '@blockwork/spreadsheet';
import type { Reply } from '../answer/reply.js';

export const spreadsheet = (): Promise<typeof Spreadsheet> => import('@blockwork/spreadsheet');

/** Lower than what the package itself reads, since a server does other work as well. */
export const workbookLimits = {
  fileBytes: 8 * 1024 * 1024,
  totalBytes: 24 * 1024 * 1024,
  cells: 200_000,
  rows: 20_000,
} as const;

/** The workbook as an answer, a file of this name. */
export async function workbookFile(name: string, make: () => Spreadsheet.Workbook): Promise<Reply> {
  return { status: 200, file: { name: `${name}.xlsx`, type: XLSX, content: await written(make) } };
}

/**
 * The bytes of a workbook with these schemas. Rejects with `POLICY_FILE_TOO_LARGE`.
 *
 * @example const content = await schemaWorkbook(definition.schemas);
 */
export async function schemaWorkbook(schemas: readonly unknown[]): Promise<Uint8Array> {
  const { exportSchemas } = await spreadsheet();
  return written(() => exportSchemas(schemas));
}

/**
 * What importing a workbook would change in the schemas of a policy, within the limits of a server. Rejects with
 * `POLICY_FILE_INVALID` and `POLICY_FILE_TOO_LARGE`.
 *
 * @example const { operations } = await plannedImport(file, definition.schemas);
 */
export async function plannedImport(file: Uint8Array, schemas: readonly unknown[]): Promise<Spreadsheet.ImportPlan> {
  const { planImport } = await spreadsheet();
  return orRefused(() => planImport(file, schemas, { limits: workbookLimits }));
}

/**
 * Throws `INPUT_INVALID` with what is wrong with an import, cell by cell.
 *
 * @example assertUsable(await plannedImport(file, definition.schemas));
 */
export function assertUsable({ findings }: Spreadsheet.ImportPlan): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const details = errors.map(({ sheet, cell, message }) => ({
    path: cell === undefined ? sheet : `${sheet}!${cell}`,
    message,
  }));
  const reason = `Nothing was imported: ${String(errors.length)} cells of the workbook have errors. Correct them, and send it again.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason }, details });
}

async function written(make: () => Spreadsheet.Workbook): Promise<Uint8Array> {
  const { writeWorkbook } = await spreadsheet();
  return orRefused(() => writeWorkbook(make()));
}

/** Failures of the package as those of files. */
export async function orRefused<Result>(work: () => Result): Promise<Result> {
  const { WorkbookError } = await spreadsheet();
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof WorkbookError)) throw cause;
    const reason = cause.message.replace(/\.$/, '').replace(/^The /, 'the ');
    const code = cause.code === 'WORKBOOK_INVALID' ? 'POLICY_FILE_INVALID' : 'POLICY_FILE_TOO_LARGE';
    throw new BlockworkError(code, { facts: { reason }, cause });
  }
}
