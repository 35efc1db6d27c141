/** Checks that the configured keys are the ones the stored identities have signed with. */
import { isBlockworkError } from '../errors.js';
import type { Keys } from '../ports/index.js';
import type { IdentityRecord } from '../records/index.js';
import { keysIn } from './identity-document.js';

/** The identities whose current key these keys cannot derive. Identities without a document are skipped. */
export async function foreignIdentities(identities: readonly IdentityRecord[], keys: Keys): Promise<IdentityRecord[]> {
  const foreign: IdentityRecord[] = [];
  for (const identity of identities) {
    const [current] = keysIn(identity.document);
    if (current === undefined) continue;
    const publicKey = await publicKeyOf(keys, identity.key ?? identity.id);
    if (publicKey === undefined || Buffer.compare(publicKey, current) !== 0) foreign.push(identity);
  }
  return foreign;
}

async function publicKeyOf(keys: Keys, name: string): Promise<Uint8Array | undefined> {
  try {
    return await keys.publicKey(name);
  } catch (error) {
    if (isBlockworkError(error, 'KEY_UNAVAILABLE')) return undefined;
    throw error;
  }
}
