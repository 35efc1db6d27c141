/** What reads and writes workbooks: loaded with the first, and with limits that leave room for other work. */
import { BlockworkError } from '@blockwork/core';
import type * as Spreadsheet from '@blockwork/spreadsheet';

export const spreadsheet = (): Promise<typeof Spreadsheet> => import('@blockwork/spreadsheet');

/** Lower than what the package itself reads, since a server does other work as well. */
export const workbookLimits = {
  fileBytes: 8 * 1024 * 1024,
  totalBytes: 24 * 1024 * 1024,
  cells: 200_000,
  rows: 20_000,
} as const;

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
