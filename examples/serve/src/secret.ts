/** The secret that tokens are signed with: made at the first start, and kept so that tokens outlive a restart. */
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from './startup-error.js';

/** The given secret, or else that of the data folder. Only its owner may read the file. */
export async function signingKey(given: string | undefined, folder: string): Promise<KeyObject> {
  return createSecretKey(Buffer.from(given ?? (await keptSecret(folder))));
}

async function keptSecret(folder: string): Promise<string> {
  const file = join(folder, 'jwt-secret');
  try {
    // Never over an existing one: everybody's tokens would end.
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length >= 32) return secret;
  throw new StartupError(`The secret in ${file} is too short to be one. Delete the file; a new one is made.`);
}
