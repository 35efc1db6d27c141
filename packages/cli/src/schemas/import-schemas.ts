/** `blockwork schemas import`: the schemas of a workbook, or one as JSON, into a policy, or what that would change. */
import { readFile, stat } from 'node:fs/promises';
import {
  planImport,
  planSchemas,
  WorkbookError,
  type ImportPlan,
  type SchemaPreview,
  type SheetFinding,
} from '@blockwork/spreadsheet';
import { isCode } from '../code/code.js';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { parseJson } from '../line/json-text.js';
import { readPolicySource } from '../policies/read-source.js';
import { schemasOf } from './export-schemas.js';
import { writeSchemas } from './write-schemas.js';

/** Of a schema with both of its files. */
const SCHEMA_BYTES = 8 * 1024 * 1024;

export const run: CommandRun = async (input, io) => {
  const [path = '', workbook = ''] = input.args;
  if (isCode(path)) {
    const message = `${path} is code: "pack" it into an archive, and import the workbook there.`;
    throw new CommandError(exitCodes.usage, message, 'POLICY_IS_CODE');
  }
  const { schemas, findings, operations } = await planOf(path, workbook);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const isWritten = errors === 0 && operations.length > 0 && input.options['check'] !== true;
  if (isWritten) await writeSchemas(path, operations);
  const lines = [
    ...findings.map((finding) => findingLine(workbook, finding)),
    ...schemas.flatMap(changeLines),
    isWritten ? `Changed ${path}.` : errors > 0 ? `Nothing was changed: correct the cells first.` : '',
  ].filter((line) => line !== '');
  const text = (): string => (lines.length === 0 ? 'The schemas are the same.\n' : `${lines.join('\n')}\n`);
  await printResult(input, io, { value: { schemas, findings, written: isWritten }, text });
  return errors > 0 ? exitCodes.found : exitCodes.ok;
};

async function planOf(path: string, workbook: string): Promise<ImportPlan> {
  const schemas = schemasOf(path, await readPolicySource(path));
  if (workbook.endsWith('.json')) return planOfSchema(workbook, schemas);
  try {
    return planImport(await readFile(workbook), schemas);
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    throw new CommandError(exitCodes.unreadable, `${workbook}: ${error.message}`, error.code);
  }
}

/** As `ledger fetch` writes it. */
async function planOfSchema(path: string, schemas: readonly unknown[]): Promise<ImportPlan> {
  const { size } = await stat(path);
  const plan = size > SCHEMA_BYTES ? null : planSchemas([parseJson(await readFile(path, 'utf8'), path)], schemas);
  if (plan?.schemas.length === 1) return plan;
  const reason =
    plan === null ? `has more than ${String(SCHEMA_BYTES)} bytes` : 'is no schema: it has no iri or no document';
  throw new CommandError(exitCodes.unreadable, `${path} ${reason}.`, 'SCHEMA_INVALID');
}

const findingLine = (workbook: string, { severity, code, sheet, cell, message }: SheetFinding): string =>
  `  ${workbook}${sheet === '' ? '' : `  ${sheet}${cell === undefined ? '' : `!${cell}`}`}  ${severity}  ${code}  ${message}`;

function changeLines({ name, change, added, removed, changed }: SchemaPreview): string[] {
  if (change === 'same') return [];
  const fields = [
    ...added.map((key) => `  + ${key}`),
    ...removed.map((key) => `  - ${key}`),
    ...changed.map((key) => `  ~ ${key}`),
  ];
  return [`${name}: ${change}`, ...fields];
}
