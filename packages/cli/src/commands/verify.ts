/** `blockwork verify`: whether a proof bundle that somebody gave you holds, without the instance that made it. */
import { readFile, stat } from 'node:fs/promises';
import { storyOf, verifyBundle, type LinkedData } from '@blockwork/verify';
import { printResult, textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

/** Bytes of a file; an instance makes none above its `pageBytes`. */
const BYTES_AT_MOST = 256 * 1024 * 1024;
const NOTE_BYTES_AT_MOST = 64 * 1024;

export const run: CommandRun = async (input, io) => {
  const [path = ''] = input.args;
  const kept = textOption(input, 'since');
  const since = kept === undefined ? undefined : await readText(kept, NOTE_BYTES_AT_MOST);
  const value = await jsonIn(path);
  const report = await verifyBundle(value, { linkedData: linkedWhenNeeded, ...(since !== undefined && { since }) });
  await printResult(input, io, { value: report, text: () => storyOf(report) });
  return report.ok ? exitCodes.ok : exitCodes.found;
};

/** What proofs of linked data need is large, and loaded only for a bundle that has such proofs. */
const linkedWhenNeeded: LinkedData = {
  hashes: async (...document) => (await import('@blockwork/linked-data')).linkedData().hashes(...document),
};

/** JSON as programs write it: what another reader would refuse is no proof. */
async function jsonIn(path: string): Promise<unknown> {
  const text = await readText(path, BYTES_AT_MOST);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unreadable(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readText(path: string, bytesAtMost: number): Promise<string> {
  const stats = await stat(path);
  if (!stats.isFile()) throw unreadable(`${path} is not a file.`);
  if (stats.size > bytesAtMost) throw unreadable(`${path} is larger than ${String(bytesAtMost)} bytes.`);
  return readFile(path, 'utf8');
}

const unreadable = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'BUNDLE_UNREADABLE');
