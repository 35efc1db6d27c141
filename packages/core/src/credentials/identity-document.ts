/** Identity documents: DID documents with the keys an identity signs with (Decentralized Identifiers 1.0, Multikey). */
import type { PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE, isObject } from '../records/index.js';
import type { IdentityRecord, JsonObject } from '../records/index.js';
import { isHederaDid, rootKeyIn } from './hedera-did.js';
import { fromMultikey, keyOfDidKey, toMultikey } from './multikey.js';

const CONTEXTS = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'];

export type IdentityRecords = Pick<PolicyStore, 'get' | 'find'>;

/** The id of a key in its identity's document. */
export const methodId = (did: string, publicKey: Uint8Array): string => `${did}#${toMultikey(publicKey)}`;

/**
 * The DID document of an identity with these keys, the current one first. Each may sign credentials and presentations.
 */
export function documentOf(did: string, publicKeys: readonly Uint8Array[]): JsonObject {
  const ids = publicKeys.map((key) => methodId(did, key));
  return {
    '@context': [...CONTEXTS],
    id: did,
    verificationMethod: publicKeys.map((key, at) => ({
      id: ids[at] ?? '',
      type: 'Multikey',
      controller: did,
      publicKeyMultibase: toMultikey(key),
    })),
    assertionMethod: [...ids],
    authentication: [...ids],
  };
}

/** The id of the key in the identity's document: that of a `did:hedera` has a name of its own. */
export const methodIdIn = (did: string, document: JsonObject | undefined, publicKey: Uint8Array): string => {
  const root = document === undefined ? undefined : rootKeyIn(did, document);
  return root !== undefined && Buffer.compare(root.key, publicKey) === 0 ? root.id : methodId(did, publicKey);
};

/** The keys in a document created by `documentOf`, or the one of a `did:hedera`. */
export function keysIn(document: JsonObject): Uint8Array[] {
  if (typeof document.id === 'string' && isHederaDid(document.id))
    return [rootKeyIn(document.id, document)?.key ?? []].flat();
  const { verificationMethod: methods } = document;
  return (Array.isArray(methods) ? methods : []).flatMap((method) => {
    const text = isObject(method) ? method.publicKeyMultibase : undefined;
    return (typeof text === 'string' ? fromMultikey(text) : undefined) ?? [];
  });
}

/**
 * The DID document of an identity: the stored one if it has signed here, the implied one for a `did:key`, otherwise
 * `undefined`.
 */
export async function identityDocument(records: IdentityRecords, did: string): Promise<JsonObject | undefined> {
  const key = keyOfDidKey(did);
  if (key !== undefined) return documentOf(did, [key]);
  return (await records.get('identity', INSTANCE, did))?.document;
}

/**
 * The stored identity with all its keys, bypassing this process's cache, which may lack keys added by other processes.
 */
export async function presentIdentity(records: IdentityRecords, did: string): Promise<IdentityRecord | undefined> {
  const [stored] = await records.find('identity', INSTANCE, { where: equalTo('id', did), limit: 1 });
  return stored;
}
