/** Reads the policy argument of a command: an archive, JSON, a folder, or code. */
import { readFile, stat } from 'node:fs/promises';
import type { PolicyText } from '@blockwork/core/files';
import { isCode, policyFromCode } from '../code/code.js';
import { parseJson } from '../line/json-text.js';
import { packFolder, textInFolder } from './policy-folder.js';

export interface SourceWithText {
  /** The bytes of an archive, or the JSON value of a file, as `engine.importPolicy` accepts them. */
  readonly source: unknown;
  /** As the author sees it; absent for archives, whose readers know it. */
  readonly text?: PolicyText;
}

/** As `readSourceWithText`, without the text. */
export const readPolicySource = async (path: string): Promise<unknown> => (await readSourceWithText(path)).source;

/** Throws a `CommandError` that locates an error in JSON. */
export async function readSourceWithText(path: string): Promise<SourceWithText> {
  if ((await stat(path)).isDirectory()) {
    const text = { file: 'policy.json', config, read: (file = 'policy.json') => textInFolder(path, file) };
    return { source: await packFolder(path), text };
  }
  if (isCode(path)) return { source: await policyFromCode(path) };
  const bytes = await readFile(path);
  if (isZip(bytes)) return { source: bytes };
  const written = bytes.toString('utf8');
  return { source: policyValue(written, path), text: { config, read: () => written } };
}

const config = { pointer: '/config', path: '' };

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** The value of a policy that is written as JSON. `$schema` is for editors. Throws a `CommandError` that locates an error. */
export function policyValue(text: string, path: string): unknown {
  const value = parseJson(text, path);
  if (typeof value !== 'object' || value === null || !('$schema' in value)) return value;
  const { $schema: _, ...policy } = value;
  return policy;
}
