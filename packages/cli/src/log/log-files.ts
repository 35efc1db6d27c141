/** The files of a log, in a folder or on a server. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BlockworkApiError } from '@blockwork/client';
import type { LogFiles } from '@blockwork/verify';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { JournalFiles } from './journal-files.js';
import type { ServerLog } from './server-log.js';

/** Bytes of a file; the largest are those of 256 journal entries. */
const BYTES_AT_MOST = 512 * 1024 * 1024;

export function folderFiles(folder: string): LogFiles {
  return {
    async read(path) {
      const file = join(folder, path);
      const facts = await stat(file).catch(() => undefined);
      if (facts?.isFile() !== true) return undefined;
      if (facts.size > BYTES_AT_MOST) throw unreadable(`${file} is larger than ${String(BYTES_AT_MOST)} bytes.`);
      return readFile(file);
    },
  };
}

/** A folder with a log, or a checkpoint alone. */
export async function earlierFiles(path: string): Promise<LogFiles> {
  const facts = await stat(path);
  if (facts.isDirectory()) return folderFiles(path);
  const files = folderFiles(dirname(path));
  return { read: async (asked) => (asked === 'checkpoint' ? files.read(basename(path)) : undefined) };
}

/** The log as the server has it now: what is added meanwhile is not seen. `withEntries`: if the caller may read them. */
export async function serverFiles({ client, policyId }: ServerLog, withEntries: boolean): Promise<LogFiles> {
  const { data } = await client.routes.readLog({ policyId });
  const { note, key } = data;
  const tile = (path: string): Promise<Uint8Array | undefined> => tileAt({ client, policyId }, path);
  const journal = withEntries ? await JournalFiles.open({ client, policyId }, data.size, tile) : null;
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    if (path === 'checkpoint') return Buffer.from(note);
    if (path === 'key') return Buffer.from(`${key}\n`);
    return path.startsWith('tile/') ? tile(path.slice('tile/'.length)) : journal?.read(path);
  };
  return { read };
}

async function tileAt({ client, policyId }: ServerLog, tile: string): Promise<Uint8Array | undefined> {
  try {
    return (await client.routes.readLogTile({ policyId, tile })).data;
  } catch (error) {
    if (error instanceof BlockworkApiError && error.error === 'LOG_TILE_UNKNOWN') return undefined;
    throw error;
  }
}

export const unreadable = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'LOG_UNREADABLE');
