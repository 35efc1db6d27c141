/** `blockwork documents export` and `template`: files that a server makes. */
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { printResult, textOption, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes, type ExitCode } from '../line/exit-codes.js';
import type { Io } from '../line/io.js';
import { serverBlock } from './server-block.js';

export const exportDocuments: CommandRun = async (input, io) => {
  const { client, tag, address } = await serverBlock(input, io);
  const format = textOption(input, 'format') === 'csv' ? 'csv' : 'xlsx';
  const { data } =
    format === 'csv' ? await client.routes.exportRowsAsCsv(address) : await client.routes.exportRows(address);
  return written(input, io, `${tag}.${format}`, data);
};

export const writeTemplate: CommandRun = async (input, io) => {
  const { client, tag, address } = await serverBlock(input, io);
  return written(input, io, `${tag}.xlsx`, (await client.routes.getRowTemplate(address)).data);
};

async function written(input: CommandInput, io: Io, name: string, content: Uint8Array): Promise<ExitCode> {
  // A tag may hold what no name of a file can.
  const file = input.args[1] ?? name.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_');
  // Otherwise the error would say that the file does not exist.
  await stat(dirname(file));
  await writeFile(file, content);
  const value = { file, bytes: content.length };
  await printResult(input, io, { value, text: () => `Wrote ${file}.\n` });
  return exitCodes.ok;
}
