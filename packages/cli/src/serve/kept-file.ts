/** Secrets that are made at the first start and kept in the data folder, so that what they made outlives a restart. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startupError } from './startup-error.js';

/** 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** 32 random bytes in base64url, the same ones at every start. Only the owner of the file may read it. */
export async function keptSecret(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  return (await readSecret(file)) ?? makeSecret(file);
}

/** Whole or not at all, and never over an existing one: what was made with that would be void. */
async function makeSecret(file: string): Promise<string> {
  const secret = newSecret();
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file);
    return secret;
  } catch (error) {
    const other = await readSecret(file);
    if (other !== undefined) return other;
    // A write that fails names no file by itself.
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  } finally {
    await rm(draft, { force: true });
  }
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    // Another one is not made: what this one signed would be void.
    throw startupError(
      `${file} cannot be read (${code}). Let the user of this process read it, or put it back from a backup.`,
    );
  }
}
