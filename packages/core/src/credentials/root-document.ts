/** DID documents of `did:hedera` for a ledger's topic: the hash in the DID proves their key, whoever publishes them. */
import { isBlockworkError } from '../errors.js';
import type { Keys, PolicyStore } from '../ports/index.js';
import { allOf, equalTo, INSTANCE, isObject } from '../records/index.js';
import type { JsonObject } from '../records/index.js';
import { documentHash } from './document-hash.js';
import { keysIn, type IdentityRecords } from './identity-document.js';
import { fromMultikey } from './multikey.js';
import { namesKey, rootMethodOf } from './verification-methods.js';

/**
 * The document as the reference's tools write it, if the key that the DID is made of is known: it is kept here, or is registered and not
 * revoked. `undefined` for any other DID, as nobody else's document is made up.
 */
export async function rootDocument(records: IdentityRecords, keys: Keys, did: string): Promise<JsonObject | undefined> {
  if (!namesKey(did)) return undefined;
  for await (const key of knownKeys(records, keys, did)) {
    const document = rootDocumentOf(did, key);
    if (document !== undefined) return document;
  }
  return undefined;
}

/**
 * The DID document of a `did:hedera` as the reference's tools write it; `undefined` for a key that the DID is not made of, and for other
 * DIDs. `key`: 32 bytes.
 *
 * @example const document = rootDocumentOf('did:hedera:testnet:3HhGPB6ht33n51YFaocqBtGePb3xqT4VgnjYbd81eeZW_0.0.1234', key);
 */
export function rootDocumentOf(did: string, key: Uint8Array): JsonObject | undefined {
  const method = rootMethodOf(did, key);
  return (
    method && {
      '@context': 'https://www.w3.org/ns/did/v1',
      id: did,
      verificationMethod: [method],
      authentication: [method.id ?? null],
      assertionMethod: ['#did-root-key'],
    }
  );
}

async function* knownKeys(records: IdentityRecords, keys: Keys, did: string): AsyncGenerator<Uint8Array, void> {
  const stored = await records.get('identity', INSTANCE, did);
  yield* keysIn(stored?.document ?? {});
  try {
    yield await keys.publicKey(stored?.key ?? did);
  } catch (error) {
    if (!isBlockworkError(error, 'KEY_UNAVAILABLE')) throw error;
  }
  for (const { id, revokeDate } of await records.find('identity-key', INSTANCE, { where: equalTo('did', did) })) {
    const key = revokeDate === undefined ? fromMultikey(id) : undefined;
    if (key !== undefined) yield key;
  }
}

/** Under which the message with the document of a DID is found. */
const rootDocumentHash = (did: string): string => documentHash({ id: did });

/** The document that was published in a topic of the policy; `undefined` for none. */
export async function publishedRootDocument(
  records: Pick<PolicyStore, 'find'>,
  policyId: string,
  did: string,
): Promise<JsonObject | undefined> {
  if (!namesKey(did)) return undefined;
  const where = allOf(equalTo('hash', rootDocumentHash(did)), equalTo('type', 'did-document'));
  const [message] = await records.find('ledger-message', policyId, { where, limit: 1 });
  const document = isObject(message?.body) ? message.body['document'] : undefined;
  return isObject(document) ? document : undefined;
}
