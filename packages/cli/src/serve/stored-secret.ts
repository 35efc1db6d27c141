/** Secrets generated at the first start and kept in the data folder, so that tokens and keys survive restarts. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startupError } from './startup-error.js';

/** 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** 32 random bytes in base64url, stable across restarts. Readable by the owner of the file only. */
export async function storedSecret(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  return (await readSecret(file)) ?? makeSecret(file);
}

/** Whether an earlier call has generated the secret. */
export const isStored = async (folder: string, name: string): Promise<boolean> =>
  (await readSecret(join(folder, name))) !== undefined;

/** Written atomically, and never over an existing one, which would invalidate everything signed with it. */
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
    // A failed write does not name its file.
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
    // No replacement is generated: it would invalidate everything signed with this one.
    throw startupError(
      `${file} cannot be read (${code}). Make it readable for the user of this process, or restore it from a backup.`,
    );
  }
}
