/** `blockwork unpack`: an archive as a folder. */
import { readFile } from 'node:fs/promises';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError, failureIn } from '../line/failure.js';
import { unpackToFolder } from '../policies/policy-folder.js';

export const run: CommandRun = async (input, io) => {
  const [file = '', target] = input.args;
  const folder = target ?? file.replace(/\.policy$/, '');
  if (folder === file) {
    const message = `${file} does not end in ".policy": name the folder to unpack it into.`;
    throw new CommandError(exitCodes.usage, message, 'FOLDER_MISSING');
  }
  const archive = await readFile(file);
  const files = await unpackToFolder(archive, folder).catch((error: unknown) => {
    throw failureIn(file, error);
  });
  const text = (): string => `Wrote ${files.length} files to ${folder}.\n`;
  await printResult(input, io, { value: { folder, files }, text });
  return exitCodes.ok;
};
