/** The secret that tokens are signed with, and the seed of the keys that credentials are signed with. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Caller } from '@blockwork/core';
import { signDevelopmentToken, type TokenOptions } from '@blockwork/http-koa';
import { keptSecret } from './kept-file.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

/** What every node over a database must be given: made by itself, each would have one of its own. */
const sharedBy: Readonly<Record<'secret' | 'keySeed', string>> = {
  secret:
    'BLOCKWORK_JWT_SECRET is not set. Every node over a database needs the same one: 32 bytes or more, for instance of ' +
    '"openssl rand -base64 48". A server that ran on files has it in its data folder, in the file jwt-secret.',
  keySeed:
    'BLOCKWORK_KEY_SEED is not set. Every node over a database needs the same one: 32 bytes in base64, for instance of ' +
    '"openssl rand -base64 32". A server that ran on files has it in its data folder, in the file key-seed: its identities ' +
    'can sign with that one only.',
};

/** Throws, naming all that is missing, where the server runs on a database without what its nodes share. */
export function assertShared(settings: Settings, names: readonly ('secret' | 'keySeed')[]): void {
  if (settings.database === undefined) return;
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) throw startupError(missing.map((name) => sharedBy[name]).join('\n'));
}

/** The keys of the server's tokens: those of the identity provider, or the secret. */
export async function tokenKeys(settings: Settings): Promise<TokenOptions> {
  const { rules } = settings;
  return rules.keySet === undefined ? { secret: await signingKey(settings), ...rules } : rules;
}

/** Signs tokens that the server with these settings accepts, valid for a day or for so many seconds. */
export async function tokenSigner(settings: Settings): Promise<(caller: Caller, lifetime?: number) => string> {
  const key = await signingKey(settings);
  const { issuer, audience } = settings.rules;
  const named = { ...(issuer !== undefined && { issuer }), ...(audience !== undefined && { audience }) };
  return (caller, lifetime) =>
    signDevelopmentToken(key, caller, { ...named, ...(lifetime !== undefined && { lifetime }) });
}

/** The given secret, or else that of the data folder. */
async function signingKey(settings: Settings): Promise<KeyObject> {
  assertShared(settings, ['secret']);
  const secret = settings.secret ?? (await keptSecret(settings.data, 'jwt-secret'));
  if (secret.length < 32) {
    const file = join(settings.data, 'jwt-secret');
    throw startupError(`The secret in ${file} is too short to be one. Delete the file; a new one is made.`);
  }
  return createSecretKey(Buffer.from(secret));
}

/** The given seed, or else that of the data folder. It can sign for every identity of this instance. */
export async function keySeed(settings: Settings): Promise<Uint8Array> {
  assertShared(settings, ['keySeed']);
  const seed = Buffer.from(settings.keySeed ?? (await keptSecret(settings.data, 'key-seed')), 'base64url');
  if (seed.length === 32) return seed;
  const file = join(settings.data, 'key-seed');
  throw startupError(
    `The seed in ${file} is not one: it must be 32 bytes in base64url. Put the right one back from a backup; ` +
      'without it, a new one is made once the file is deleted, and old signatures stay valid.',
  );
}
