/** Secrets that are made at the first start and kept in the data folder, so that what they made outlives a restart. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** 32 random bytes in base64url, the same ones at every start. Only the owner of the file may read it. */
export async function keptSecret(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  try {
    // Never over an existing one: what was made with it would be void.
    await writeFile(file, `${newSecret()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
