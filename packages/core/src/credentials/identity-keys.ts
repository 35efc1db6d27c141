/** External keys: finding the key behind a signature, and the statements by which holders register their keys. */
import type { PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE, isObject } from '../records/index.js';
import type { IdentityKey, Json, JsonObject } from '../records/index.js';
import { boundedJson } from './bounded-json.js';
import { identityIn, isCredential } from './envelope.js';
import {
  documentWith,
  identityDocument,
  methodOf,
  presentIdentity,
  type IdentityRecords,
} from './identity-document.js';
import { fromMultikey, isDidKey, keyOfDidKey, toMultikey } from './multikey.js';
import { verifyProof, type KeyResolver } from './proof.js';
import { methodsIn, rootMethodOf } from './verification-methods.js';

/** Type of the subject of a registration credential. */
const KEY_REGISTRATION = 'KeyRegistration';

export type FoundKey = { readonly key: Uint8Array; readonly revokeDate?: string } | 'unknown identity' | 'unknown key';

/** The key that the verification method names, if it belongs to the identity. */
export async function findKey(records: IdentityRecords, did: string, method: string): Promise<FoundKey> {
  const document = await identityDocument(records, did);
  const namedIn = (whole: JsonObject = {}): Uint8Array | undefined =>
    methodsIn(whole).find(({ id }) => id === method)?.key;
  let own = namedIn(document);
  if (document !== undefined && own === undefined && !isDidKey(did)) {
    own = namedIn((await presentIdentity(records, did))?.document);
  }
  // The private keys of other local identities never leave this engine, so no one can register or revoke them.
  if (own !== undefined && !isDidKey(did)) return { key: own };
  const registered =
    (await records.get('identity-key', INSTANCE, method.slice(did.length + 1))) ??
    (await registeredKeys(records, did)).find(({ id }) => rootMethodIn(did, id)?.id === method);
  const key = own ?? (registered?.did === did ? fromMultikey(registered.id) : undefined);
  if (key === undefined) return document === undefined ? 'unknown identity' : 'unknown key';
  return { key, ...(registered?.revokeDate !== undefined && { revokeDate: registered.revokeDate }) };
}

/**
 * An identity's public DID document: its unrevoked keys, both those it signs with here and those it has registered.
 * `undefined` if the identity is unknown.
 */
export async function publishedDocument(
  records: Pick<PolicyStore, 'get' | 'find'>,
  did: string,
): Promise<JsonObject | undefined> {
  const [document, registered] = await Promise.all([identityDocument(records, did), registeredKeys(records, did)]);
  if (registered.length === 0) return document;
  const methods = new Map<string, JsonObject[]>();
  for (const { key, method } of methodsIn(document ?? {})) methods.set(toMultikey(key), [method]);
  for (const { id } of registered) {
    const key = fromMultikey(id);
    if (key !== undefined && !methods.has(id))
      methods.set(id, [rootMethodIn(did, id) ?? [], methodOf(did, key)].flat());
  }
  for (const { id, revokeDate } of registered) if (revokeDate !== undefined) methods.delete(id);
  return documentWith(did, [...methods.values()].flat());
}

const registeredKeys = (records: IdentityRecords, did: string): Promise<IdentityKey[]> =>
  records.find('identity-key', INSTANCE, { where: equalTo('did', did) });

function rootMethodIn(did: string, multikey: string): JsonObject | undefined {
  const key = fromMultikey(multikey);
  return key && rootMethodOf(did, key);
}

/** The content of a registration credential. */
export interface KeyRegistration {
  /** The public key as a multikey. */
  readonly key: string;
  /** The identity that signs with the key. */
  readonly did: string;
  /** The member who registers it. */
  readonly member: string;
}

/**
 * Reads a credential that registers its own signing key, which proves possession. Its subject is the member, so no one
 * else can use it; its issuer is the member or the `did:key` of a device. Accepts any value.
 */
export async function readKeyRegistration(
  document: unknown,
  now: number,
): Promise<KeyRegistration | { readonly reason: string }> {
  const bounded = boundedJson(document);
  if ('reason' in bounded) return bounded;
  const { value } = bounded;
  if (!isCredential(value)) return { reason: 'it is not a credential' };
  const [did, member] = [identityIn(value.issuer), memberIn(value.credentialSubject)];
  if (did === undefined) return { reason: 'it names no issuer' };
  if (member === undefined) return { reason: `its subject is not a member, of the type ${KEY_REGISTRATION}` };
  if (did !== member && !isDidKey(did)) return { reason: 'its issuer is neither its subject nor a did:key' };
  return signedRegistration(value, did, member, now);
}

async function signedRegistration(
  document: JsonObject,
  did: string,
  member: string,
  now: number,
): Promise<KeyRegistration | { readonly reason: string }> {
  let key = '';
  const resolveKey: KeyResolver = ({ verificationMethod, purpose }) => {
    if (purpose !== 'assertionMethod') return { reason: 'its proof is not for the purpose assertionMethod' };
    const publicKey = keyIn(verificationMethod, did);
    if (publicKey === undefined) return { reason: 'its proof names no Ed25519 key of its issuer' };
    key = toMultikey(publicKey);
    return { key: publicKey };
  };
  const { verified, reason } = await verifyProof(document, resolveKey, now);
  return verified ? { key, did, member } : { reason };
}

/** The key in `<did>#<multikey>`; a `did:key` must name its own key. */
function keyIn(method: string, did: string): Uint8Array | undefined {
  if (!method.startsWith(`${did}#`)) return undefined;
  const key = fromMultikey(method.slice(did.length + 1));
  const own = keyOfDidKey(did);
  if (!isDidKey(did)) return key;
  return key !== undefined && own !== undefined && Buffer.compare(key, own) === 0 ? key : undefined;
}

function memberIn(subjects: Json | undefined): string | undefined {
  const [subject, ...others] = Array.isArray(subjects) ? subjects : [subjects];
  if (others.length > 0 || !isObject(subject) || subject.type !== KEY_REGISTRATION) return undefined;
  return identityIn(subject.id);
}
