/** Who is who, by API keys. Replace this file by the sign-in of your own program: all that the engine needs is a caller. */
import { createHash } from 'node:crypto';
import { owner } from './registry.mjs';
import { storedSecret } from './secrets.mjs';

const callers = {
  owner,
  alice: { did: 'did:example:alice', role: 'USER' },
  bob: { did: 'did:example:bob', role: 'USER' },
};

/** Makes a key for each user at the first start. */
export async function openUsers(folder) {
  const keys = new Map();
  for (const name of Object.keys(callers)) keys.set(name, await storedSecret(folder, `key-of-${name}`));
  // Looked up by their hash, so that the time it takes says nothing about a key.
  const byHash = new Map([...keys].map(([name, key]) => [hashOf(key), callers[name]]));
  return {
    keys,
    /** The caller of `Authorization: Bearer <key>`, or nothing. */
    callerOf: (authorization) => byHash.get(hashOf(authorization.replace(/^Bearer /, ''))),
  };
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex');
