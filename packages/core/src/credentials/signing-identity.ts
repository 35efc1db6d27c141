/** Signing identities: an identity's current signing key, and its document with that key first. */
import { BlockworkError } from '../errors.js';
import type { DidMethod, Keys } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { IdentityRecord } from '../records/index.js';
import { isHederaDid } from './hedera-did.js';
import { documentOf, keysIn, methodIdIn, presentIdentity, type IdentityRecords } from './identity-document.js';
import { isDidKey, keyOfDidKey, toDidKey } from './multikey.js';

export interface SigningIdentity {
  readonly verificationMethod: string;
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
  /** The identity's record with its current key, if the stored one differs. */
  readonly changed?: IdentityRecord;
}

/** Former keys stay in the document, so that earlier signatures can be verified. Throws `KEY_UNAVAILABLE`. */
export async function signingIdentity(records: IdentityRecords, keys: Keys, did: string): Promise<SigningIdentity> {
  const stored = await records.get('identity', INSTANCE, did);
  const name = stored?.key ?? did;
  const publicKey = await keys.publicKey(name);
  const verificationMethod = methodIdIn(did, stored?.document, publicKey);
  // A `did:key` is bound to one key; a key from another seed cannot sign for it.
  if (isDidKey(did) && !same(keyOfDidKey(did), publicKey))
    throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did } });
  const sign = (bytes: Uint8Array): Promise<Uint8Array> => keys.sign(name, bytes);
  if (stored !== undefined && same(keysIn(stored.document)[0], publicKey)) return { verificationMethod, sign };
  // The DID is made of the key that it had first.
  if (isHederaDid(did)) throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did } });
  const present = stored && (await presentIdentity(records, did));
  const ownKeys = present === undefined ? [] : keysIn(present.document);
  const document = documentOf(did, [publicKey, ...ownKeys.filter((key) => !same(key, publicKey))]);
  return { verificationMethod, sign, changed: { id: did, document } };
}

/** A new identity, whose key is named after the `uuid`; a `did:key` without a method. */
export async function newIdentity(keys: Keys, uuid: string, method?: DidMethod | null): Promise<IdentityRecord> {
  const key = `identity:${uuid}`;
  const publicKey = await keys.publicKey(key);
  if (method) {
    const { did: id, document } = method.identityOf(publicKey);
    return { id, document, key };
  }
  const did = toDidKey(publicKey);
  return { id: did, document: documentOf(did, [publicKey]), key };
}

const same = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0;
