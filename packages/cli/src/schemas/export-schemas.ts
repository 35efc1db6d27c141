/** `blockwork schemas export`: the schemas of a policy as a workbook. */
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writtenAsJson } from '@blockwork/core/files';
import { exportSchemas, writeWorkbook } from '@blockwork/spreadsheet';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { failureIn } from '../line/failure.js';
import { readPolicySource } from '../policies/read-source.js';

export const run: CommandRun = async (input, io) => {
  const [path = '', target] = input.args;
  const file = target ?? `${path.replace(/[/\\]+$/, '').replace(/\.policy(\.json)?$|(\.policy)?\.m?[jt]s$/, '')}.xlsx`;
  const source = await readPolicySource(path);
  const schemas = schemasOf(path, source);
  // Otherwise the error would say that the workbook does not exist.
  await stat(dirname(file));
  await writeFile(file, writeWorkbook(exportSchemas(schemas)));
  const text = (): string => `Wrote ${String(schemas.length)} schemas to ${file}.\n`;
  await printResult(input, io, { value: { workbook: file, schemas: schemas.length }, text });
  return exitCodes.ok;
};

/** As policies list them. */
export function schemasOf(path: string, source: unknown): readonly unknown[] {
  try {
    const { schemas } = writtenAsJson(source).policy;
    return Array.isArray(schemas) ? schemas : [];
  } catch (error) {
    throw failureIn(path, error);
  }
}
