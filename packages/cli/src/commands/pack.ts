/** `blockwork pack`: packs an unpacked policy into an archive. */
import { writeFile } from 'node:fs/promises';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { packFolder } from '../policies/policy-folder.js';

export const run: CommandRun = async (input, io) => {
  const [folder = '', given] = input.args;
  const file = given ?? `${folder.replace(/[/\\]+$/, '')}.policy`;
  const bytes = await packFolder(folder);
  await writeFile(file, bytes);
  const text = (): string => `Wrote ${file} (${bytes.byteLength} bytes).\n`;
  await printResult(input, io, { value: { file, bytes: bytes.byteLength }, text });
  return exitCodes.ok;
};
