/** `blockwork unpack`: an archive as a folder. */
import { readFile } from 'node:fs/promises';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { unpackToFolder } from '../policies/policy-folder.js';

export const run: CommandRun = async (input, io) => {
  const [file = '', given] = input.args;
  const folder = given ?? file.replace(/\.policy$/, '');
  const files = await unpackToFolder(await readFile(file), folder);
  const text = (): string => `Wrote ${files.length} files to ${folder}.\n`;
  await printResult(input, io, { value: { folder, files }, text });
  return exitCodes.ok;
};
