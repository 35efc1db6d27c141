/** Reads what a command is given as a policy: an archive, JSON, or a folder. */
import { readFile, stat } from 'node:fs/promises';
import { CommandError } from '../line/failure.js';
import { exitCodes } from '../line/exit-codes.js';
import { packFolder } from './policy-folder.js';

/** An archive as bytes, or the JSON value that a file holds: what `engine.importPolicy` takes. */
export async function readPolicySource(path: string): Promise<unknown> {
  if ((await stat(path)).isDirectory()) return packFolder(path);
  const bytes = await readFile(path);
  return isZip(bytes) ? bytes : readJson(bytes.toString('utf8'), path);
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** `$schema` is for editors. Throws `CommandError` with the place of the mistake. */
function readJson(text: string, path: string): unknown {
  const value = parseJson(text, path);
  if (typeof value !== 'object' || value === null || !('$schema' in value)) return value;
  const { $schema: _, ...policy } = value;
  return policy;
}

/** Throws `CommandError` with the place of the mistake. */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(exitCodes.unreadable, `${path} cannot be read as JSON: ${reason}`, 'POLICY_FILE_INVALID');
  }
}
