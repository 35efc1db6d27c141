/** Identity documents: DID documents with the keys an identity signs with (Decentralized Identifiers 1.0, Multikey). */
import type { PolicyStore } from '../ports/index.js';
import { equalTo, INSTANCE } from '../records/index.js';
import type { IdentityRecord, JsonObject } from '../records/index.js';
import { keyOfDidKey, toMultikey } from './multikey.js';
import { methodsIn } from './verification-methods.js';

const CONTEXTS = ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'];

export type IdentityRecords = Pick<PolicyStore, 'get' | 'find'>;

/** The id of a key in its identity's document. */
export const methodId = (did: string, publicKey: Uint8Array): string => `${did}#${toMultikey(publicKey)}`;

/** The DID document of an identity with these keys, the current one first. Each may sign credentials and presentations. */
export const documentOf = (did: string, publicKeys: readonly Uint8Array[]): JsonObject =>
  documentWith(
    did,
    publicKeys.map((key) => methodOf(did, key)),
  );

export const methodOf = (did: string, publicKey: Uint8Array): JsonObject => ({
  id: methodId(did, publicKey),
  type: 'Multikey',
  controller: did,
  publicKeyMultibase: toMultikey(publicKey),
});

/** As `documentOf`, with methods that may have names of their own. */
export function documentWith(did: string, methods: readonly JsonObject[]): JsonObject {
  const ids = methods.map(({ id = '' }) => id);
  return {
    '@context': [...CONTEXTS],
    id: did,
    verificationMethod: [...methods],
    assertionMethod: [...ids],
    authentication: [...ids],
  };
}

/** The id of the key in the identity's document, which may have a name of its own for it. */
export const methodIdIn = (did: string, document: JsonObject | undefined, publicKey: Uint8Array): string =>
  methodsIn(document ?? {}).find(({ key }) => Buffer.compare(key, publicKey) === 0)?.id ?? methodId(did, publicKey);

export const keysIn = (document: JsonObject): Uint8Array[] => methodsIn(document).map(({ key }) => key);

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
