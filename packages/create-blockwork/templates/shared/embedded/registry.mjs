/** The engine of this program: a file store in a folder, and the policy of `notes.policy.json`. */
import { standardBlocks } from '@blockwork/blocks';
import { createEngine, SeededKeys } from '@blockwork/core';
import { openLowdbStore } from '@blockwork/store-lowdb';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedSecret } from './secrets.mjs';

/** Owns the policy. */
export const owner = { did: 'did:example:registry', role: 'STANDARD_REGISTRY' };
export const policyId = 'notes';

/** One process at a time: the store is locked until the engine is closed. */
export async function openRegistry(folder) {
  const seed = Buffer.from(await storedSecret(folder, 'key-seed'), 'base64url');
  const store = await openLowdbStore({ folder: join(folder, 'store') });
  const engine = createEngine({ store, keys: new SeededKeys(seed), blocks: standardBlocks() });
  try {
    await loadPolicy(engine);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** At the first start only: later ones find it in the store. */
async function loadPolicy(engine) {
  const file = JSON.parse(await readFile(new URL('notes.policy.json', import.meta.url), 'utf8'));
  const existing = await engine.getPolicy(owner, policyId).catch((error) => {
    if (error.code !== 'POLICY_UNKNOWN') throw error;
  });
  const policy = existing ?? (await engine.importPolicy(owner, { ...file, id: policyId })).policy;
  if (policy.status === 'DRAFT') await engine.lifecycle.publish(owner, policyId, '1.0.0');
}
