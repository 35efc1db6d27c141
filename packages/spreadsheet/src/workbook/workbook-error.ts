/** The failures of this package. */

export type WorkbookErrorCode = 'WORKBOOK_INVALID' | 'WORKBOOK_TOO_LARGE';

export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';

  constructor(
    readonly code: WorkbookErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
