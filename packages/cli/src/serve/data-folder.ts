/** The folders that the server needs. */
import { readdir } from 'node:fs/promises';
import { makeFolder } from '@blockwork/core/adapter';
import { startupError } from './startup-error.js';

/** Accessible to its owner only, because it holds secrets. */
export const ensureDataFolder = (folder: string): Promise<void> => makeFolder(folder);

/** Otherwise a mistake would show only when a policy first needs a secret. */
export async function assertSecretsFolder(folder: string): Promise<void> {
  try {
    await readdir(folder);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    // A folder of mounted secrets may be traversable only.
    if (code === 'EACCES') return;
    throw startupError(
      `The folder ${folder} cannot be read (${code}). Set BLOCKWORK_SECRETS to the folder with the secrets of the policies.`,
    );
  }
}
