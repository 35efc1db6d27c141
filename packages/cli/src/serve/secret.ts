/** The secret that signs tokens, and the seed of the keys that sign credentials. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Caller } from '@blockwork/core';
import { signDevelopmentToken, type TokenOptions } from '@blockwork/http-koa';
import { isStored, storedSecret } from './stored-secret.js';
import type { Settings } from './settings.js';
import { startupError } from './startup-error.js';

const SECRET_FILE = 'jwt-secret';

/** Secrets that all nodes of a database must share, since generated ones would differ. */
const sharedBy: Readonly<Record<'secret' | 'keySeed', string>> = {
  secret:
    'BLOCKWORK_JWT_SECRET is not set. All nodes of a database need the same one: 32 bytes or more, for example from ' +
    '"openssl rand -base64 48". A server that ran on files has it in the file jwt-secret of its data folder.',
  keySeed:
    'BLOCKWORK_KEY_SEED is not set. All nodes of a database need the same one: 32 bytes in base64, for example from ' +
    '"openssl rand -base64 32". A server that ran on files has it in the file key-seed of its data folder; its identities ' +
    'can sign only with that one.',
};

/** Throws if the server runs on a database and shared secrets are missing, naming all of them. */
export function assertShared(settings: Settings, names: readonly ('secret' | 'keySeed')[]): void {
  if (settings.database === undefined) return;
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) throw startupError(missing.map((name) => sharedBy[name]).join('\n'));
}

/** The keys that verify tokens: those of the identity provider, or the secret. */
export async function tokenKeys(settings: Settings): Promise<TokenOptions> {
  const { rules } = settings;
  return rules.keySet === undefined ? { secret: await signingKey(settings), ...rules } : rules;
}

/** Signs tokens accepted by a server with these settings, valid for a day or the given number of seconds. */
export async function tokenSigner(settings: Settings): Promise<(caller: Caller, lifetime?: number) => string> {
  const key = await signingKey(settings);
  const { issuer, audience } = settings.rules;
  const named = { ...(issuer !== undefined && { issuer }), ...(audience !== undefined && { audience }) };
  return (caller, lifetime) =>
    signDevelopmentToken(key, caller, { ...named, ...(lifetime !== undefined && { lifetime }) });
}

/** Whether signing will generate a new secret, which no running server knows. */
export const needsNewSecret = async ({ database, secret, data }: Settings): Promise<boolean> =>
  database === undefined && secret === undefined && !(await isStored(data, SECRET_FILE));

/** The configured secret, or the one in the data folder. */
async function signingKey(settings: Settings): Promise<KeyObject> {
  assertShared(settings, ['secret']);
  const secret = settings.secret ?? (await storedSecret(settings.data, SECRET_FILE));
  if (secret.length < 32) {
    const file = join(settings.data, SECRET_FILE);
    throw startupError(`The secret in ${file} is too short. Delete the file to generate a new one.`);
  }
  return createSecretKey(Buffer.from(secret));
}

/** The configured seed, or the one in the data folder. It can sign for every identity of this instance. */
export async function keySeed(settings: Settings): Promise<Uint8Array> {
  assertShared(settings, ['keySeed']);
  const seed = Buffer.from(settings.keySeed ?? (await storedSecret(settings.data, 'key-seed')), 'base64url');
  if (seed.length === 32) return seed;
  const file = join(settings.data, 'key-seed');
  throw startupError(
    `The seed in ${file} is invalid: it must be 32 bytes in base64url. Restore it from a backup; ` +
      'if the file is deleted instead, a new seed is generated, and old signatures stay valid.',
  );
}
