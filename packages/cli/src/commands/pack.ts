/** `blockwork pack`: packs an unpacked policy, or one that is written in a single file, into an archive. */
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { packFile, packFolder } from '../policies/policy-folder.js';

export const run: CommandRun = async (input, io) => {
  const [source = '', target] = input.args;
  const file = target ?? `${source.replace(/[/\\]+$/, '').replace(/\.policy\.json$|(\.policy)?\.m?[jt]s$/, '')}.policy`;
  const bytes = (await stat(source)).isDirectory() ? await packFolder(source) : await packFile(source);
  // Otherwise the error would say that the archive does not exist.
  await stat(dirname(file));
  await writeFile(file, bytes);
  const text = (): string => `Wrote ${file} (${bytes.byteLength} bytes).\n`;
  await printResult(input, io, { value: { file, bytes: bytes.byteLength }, text });
  return exitCodes.ok;
};
