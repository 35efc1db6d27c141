/** Files and folders that settings name and that are read later: a mistake shows at startup, not with the first request. */
import { access, constants, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

/** Rejects with a failure that names the variable. */
export async function assertNamedFiles({
  secrets,
  rules: { keySet },
}: Pick<Settings, 'secrets' | 'rules'>): Promise<void> {
  // A folder of mounted secrets may be traversable only.
  if (secrets !== undefined) await readable('BLOCKWORK_SECRETS', secrets, () => readdir(secrets), ['EACCES']);
  if (keySet?.url.startsWith('file:') !== true) return;
  const file = fileURLToPath(keySet.url);
  await readable('BLOCKWORK_JWKS', file, () => access(file, constants.R_OK));
}

async function readable(
  variable: string,
  path: string,
  read: () => Promise<unknown>,
  tolerated: readonly string[] = [],
): Promise<void> {
  try {
    await read();
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (!tolerated.includes(code)) throw startupError(`${variable} names ${path}, which cannot be read (${code}).`);
  }
}
