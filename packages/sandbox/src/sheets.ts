/** Workbooks of schemas as the routes of the reference send them and speak of them. */
import { XLSX } from '@blockwork/contract/file-types';
import { schemaWorkbook } from '@blockwork/http';
import type { ImportPlan } from '@blockwork/spreadsheet';
import { download, type SandboxReply } from './requests/endpoint.js';

/** Rejects with `POLICY_FILE_TOO_LARGE`. */
export const schemasAsWorkbook = async (name: string, schemas: readonly unknown[]): Promise<SandboxReply> =>
  download(`${name}.xlsx`, XLSX, await schemaWorkbook(schemas));

/** The findings of an import as the reference lists them. */
export const sheetErrors = ({ findings }: ImportPlan): object[] =>
  findings.map(({ severity, sheet, cell = '', message }) => ({
    ...{ type: severity, text: message, message, worksheet: sheet, cell },
  }));
