/** Signing identities: an identity's current signing key, and its document with that key first. */
import { BlockworkError } from '../errors.js';
import type { DidMethod, Keys } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { IdentityRecord } from '../records/index.js';
import {
  documentOf,
  documentWith,
  methodIdIn,
  methodOf,
  presentIdentity,
  type IdentityRecords,
} from './identity-document.js';
import { isDidKey, keyOfDidKey, toDidKey } from './multikey.js';
import { isMadeOfKey, methodsIn, rootMethodOf } from './verification-methods.js';

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
  // A `did:key` is bound to one key; a key from another seed cannot sign for it.
  if (isDidKey(did) && !same(keyOfDidKey(did), publicKey))
    throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did } });
  const sign = (bytes: Uint8Array): Promise<Uint8Array> => keys.sign(name, bytes);
  const [first] = methodsIn(stored?.document ?? {});
  if (first !== undefined && same(first.key, publicKey)) return { verificationMethod: first.id, sign };
  if (stored !== undefined && isMadeOfKey(stored.document))
    throw new BlockworkError('KEY_UNAVAILABLE', { facts: { did } });
  const present = methodsIn((stored && (await presentIdentity(records, did)))?.document ?? {});
  const current =
    present.find(({ key }) => same(key, publicKey))?.method ?? rootMethodOf(did, publicKey) ?? methodOf(did, publicKey);
  const former = present.filter(({ key }) => !same(key, publicKey)).map(({ method }) => method);
  const document = documentWith(did, [current, ...former]);
  const key = stored?.key === undefined ? {} : { key: stored.key };
  return { verificationMethod: methodIdIn(did, document, publicKey), sign, changed: { id: did, document, ...key } };
}

/**
 * A new identity, whose key is named after the `uuid`; a `did:key` without a method. Throws `OPTION_INVALID` if what the method answers is
 * no identity with this key.
 */
export async function newIdentity(keys: Keys, uuid: string, method?: DidMethod | null): Promise<IdentityRecord> {
  const key = `identity:${uuid}`;
  const publicKey = await keys.publicKey(key);
  if (method) {
    const { did: id, document } = method.identityOf(publicKey);
    const [first] = methodsIn(document);
    if (
      !/^did:[a-z\d]+:./.test(id) ||
      document.id !== id ||
      !same(first?.key, publicKey) ||
      !first?.id.startsWith(`${id}#`)
    )
      throw new BlockworkError('OPTION_INVALID', {
        facts: {
          option: 'didMethod',
          reason: `the document of "${id}" must have this id and, as its first key, the one that was given`,
        },
      });
    return { id, document, key };
  }
  const did = toDidKey(publicKey);
  return { id: did, document: documentOf(did, [publicKey]), key };
}

const same = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && Buffer.compare(one, other) === 0;
