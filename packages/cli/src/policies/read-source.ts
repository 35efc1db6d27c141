/** Reads the policy argument of a command: an archive, JSON, or a folder. */
import { readFile, stat } from 'node:fs/promises';
import { parseJson } from '../line/json-text.js';
import { packFolder } from './policy-folder.js';

/** The bytes of an archive, or the JSON value of a file, as `engine.importPolicy` accepts them. */
export async function readPolicySource(path: string): Promise<unknown> {
  if ((await stat(path)).isDirectory()) return packFolder(path);
  const bytes = await readFile(path);
  return isZip(bytes) ? bytes : readJson(bytes.toString('utf8'), path);
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Drops `$schema`, which is for editors. Throws a `CommandError` that locates the error. */
function readJson(text: string, path: string): unknown {
  const value = parseJson(text, path);
  if (typeof value !== 'object' || value === null || !('$schema' in value)) return value;
  const { $schema: _, ...policy } = value;
  return policy;
}
