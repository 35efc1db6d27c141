/** `did:hedera`: identities whose DID has the hash of their key and names a topic, and their documents. */
import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { isObject } from '../records/index.js';
import type { JsonObject } from '../records/index.js';

const HEDERA_DID = /^did:hedera:[a-z\d-]{1,40}:([1-9A-HJ-NP-Za-km-z]{32,44})_\d{1,9}\.\d{1,9}\.\d{1,18}$/;
const KEY_TYPE = 'Ed25519VerificationKey2018';
const KEY_LENGTH = 32;

export const isHederaDid = (did: string): boolean => HEDERA_DID.test(did);

/** The key of a `did:hedera` in its document: the one whose hash is in the DID, whatever else the document says. */
export function rootKeyIn(did: string, document: JsonObject): { id: string; key: Uint8Array } | undefined {
  const [, hash] = HEDERA_DID.exec(did) ?? [];
  const { verificationMethod: methods } = document;
  const found = (Array.isArray(methods) ? methods : []).flatMap((method) => keyIn(did, method) ?? []);
  return found.find(({ key }) => base58.encode(createHash('sha256').update(key).digest()) === hash);
}

/** Ids of methods may leave out the DID. */
function keyIn(did: string, method: unknown): { id: string; key: Uint8Array } | undefined {
  if (!isObject(method) || method['type'] !== KEY_TYPE) return undefined;
  const { id, publicKeyBase58: text } = method;
  if (typeof id !== 'string' || typeof text !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text))
    return undefined;
  const key = base58.decode(text);
  return key.length === KEY_LENGTH ? { id: id.startsWith('#') ? `${did}${id}` : id, key } : undefined;
}
