/** `blockwork verify`: whether a proof bundle that somebody gave you holds, without the instance that made it. */
import { readFile, stat } from 'node:fs/promises';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { parseJson } from '../line/json-text.js';

/** Bytes of a file; an instance makes none above its `pageBytes`. */
const BYTES_AT_MOST = 256 * 1024 * 1024;

export const run: CommandRun = async (input, io) => {
  const [path = ''] = input.args;
  const { size } = await stat(path);
  if (size > BYTES_AT_MOST) {
    throw new CommandError(
      exitCodes.unreadable,
      `${path} is larger than ${String(BYTES_AT_MOST)} bytes.`,
      'FILE_TOO_LARGE',
    );
  }
  const report = await verifyBundle(parseJson(await readFile(path, 'utf8'), path));
  await printResult(input, io, { value: report, text: () => storyOf(report) });
  return report.ok ? exitCodes.ok : exitCodes.found;
};
