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
  const { writeWorkbook } = await spreadsheet();
  const content = await orRefused(() => writeWorkbook(make()));
  return { status: 200, file: { name: `${name}.xlsx`, type: XLSX, content } };
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
