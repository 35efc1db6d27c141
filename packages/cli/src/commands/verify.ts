/** `blockwork verify`: whether a proof bundle that somebody gave you holds, without the instance that made it. */
import { readFile, stat } from 'node:fs/promises';
import { storyOf, verifyBundle } from '@blockwork/verify';
import { printResult, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

/** Bytes of a file; an instance makes none above its `pageBytes`. */
const BYTES_AT_MOST = 256 * 1024 * 1024;

export const run: CommandRun = async (input, io) => {
  const [path = ''] = input.args;
  const report = await verifyBundle(await jsonIn(path));
  await printResult(input, io, { value: report, text: () => storyOf(report) });
  return report.ok ? exitCodes.ok : exitCodes.found;
};

/** JSON as programs write it: what another reader would refuse is no proof. */
async function jsonIn(path: string): Promise<unknown> {
  const found = await stat(path);
  if (!found.isFile()) throw unreadable(`${path} is not a file.`);
  if (found.size > BYTES_AT_MOST) throw unreadable(`${path} is larger than ${String(BYTES_AT_MOST)} bytes.`);
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unreadable(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const unreadable = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'BUNDLE_UNREADABLE');
