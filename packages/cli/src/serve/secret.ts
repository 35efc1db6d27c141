/** The secret that tokens are signed with, and the seed of the keys that credentials are signed with. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { keptSecret } from './kept-file.js';
import { startupError } from './startup-error.js';

/** The given secret, or else that of the data folder. */
export async function signingKey(given: string | undefined, folder: string): Promise<KeyObject> {
  const secret = given ?? (await keptSecret(folder, 'jwt-secret'));
  if (secret.length < 32) {
    const file = join(folder, 'jwt-secret');
    throw startupError(`The secret in ${file} is too short to be one. Delete the file; a new one is made.`);
  }
  return createSecretKey(Buffer.from(secret));
}

/** The seed of the data folder. It can sign for every identity of this instance. */
export async function keySeed(folder: string): Promise<Uint8Array> {
  const seed = Buffer.from(await keptSecret(folder, 'key-seed'), 'base64url');
  if (seed.length === 32) return seed;
  const file = join(folder, 'key-seed');
  throw startupError(
    `The seed in ${file} is not one: it must be 32 bytes in base64url. Put the right one back from a backup; ` +
      'without it, a new one is made once the file is deleted, and old signatures stay valid.',
  );
}
