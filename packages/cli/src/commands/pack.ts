/** `blockwork pack`: packs an unpacked policy into an archive. */
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { packFolder } from '../policies/policy-folder.js';

export const run: CommandRun = async (input, io) => {
  const [folder = '', given] = input.args;
  const file = given ?? `${folder.replace(/[/\\]+$/, '')}.policy`;
  const bytes = await packFolder(folder);
  // Otherwise the error would say that the archive does not exist.
  await stat(dirname(file));
  await writeFile(file, bytes);
  const text = (): string => `Wrote ${file} (${bytes.byteLength} bytes).\n`;
  await printResult(input, io, { value: { file, bytes: bytes.byteLength }, text });
  return exitCodes.ok;
};
