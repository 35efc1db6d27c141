/** Verification methods: the Ed25519 keys in DID documents, under the ids by which proofs name them. */
import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { isObject } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';
import { fromMultikey } from './multikey.js';

export interface Method {
  /** With the DID, also where the document leaves it out. */
  readonly id: string;
  readonly key: Uint8Array;
  /** As the document has it. */
  readonly method: JsonObject;
}

const KEY_LENGTH = 32;

/** Multikeys, and keys of the type `Ed25519VerificationKey2018`. Others are left out, and keys that their `did:hedera` denies. */
export function methodsIn(document: JsonObject): Method[] {
  const { id, verificationMethod: methods } = document;
  const did = typeof id === 'string' ? id : '';
  return (Array.isArray(methods) ? methods : []).flatMap((method) => methodIn(did, method) ?? []);
}

/** A `did:hedera` has the hash of the key that it was made of, which its document has as `Ed25519VerificationKey2018`. */
const HEDERA_DID = /^did:hedera:[a-z\d-]{1,40}:([1-9A-HJ-NP-Za-km-z]{32,44})_\d{1,9}\.\d{1,9}\.\d{1,18}$/;

/** Whether the document proves that the DID is made of its key, so that no other key can take its place. */
export const isMadeOfKey = (document: JsonObject): boolean =>
  typeof document.id === 'string' &&
  hashIn(document.id) !== undefined &&
  methodsIn(document).some(({ method }) => isRaw(method));

/** The method of the key that a `did:hedera` is made of, as its tools write it; `undefined` for other keys and other DIDs. */
export const rootMethodOf = (did: string, key: Uint8Array): JsonObject | undefined =>
  hashIn(did) === hashOf(key)
    ? { id: `${did}#did-root-key`, type: RAW_KEY, controller: did, publicKeyBase58: base58.encode(key) }
    : undefined;

/** Whether the DID says of what key it is made. */
export const namesKey = (did: string): boolean => hashIn(did) !== undefined;

const hashIn = (did: string): string | undefined => HEDERA_DID.exec(did)?.[1];

const RAW_KEY = 'Ed25519VerificationKey2018';

const isRaw = ({ type }: JsonObject): boolean => type === RAW_KEY;

function methodIn(did: string, method: Json): Method | undefined {
  if (!isObject(method) || typeof method.id !== 'string') return undefined;
  const key = isRaw(method) ? fromBase58(method['publicKeyBase58']) : multikeyIn(method);
  const hash = isRaw(method) ? hashIn(did) : undefined;
  if (key === undefined || (hash !== undefined && hash !== hashOf(key))) return undefined;
  return { id: method.id.startsWith('#') ? `${did}${method.id}` : method.id, key, method };
}

const multikeyIn = ({ publicKeyMultibase: text }: JsonObject): Uint8Array | undefined =>
  typeof text === 'string' ? fromMultikey(text) : undefined;

function fromBase58(text: Json | undefined): Uint8Array | undefined {
  if (typeof text !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined;
  const key = base58.decode(text);
  return key.length === KEY_LENGTH ? key : undefined;
}

const hashOf = (key: Uint8Array): string => base58.encode(createHash('sha256').update(key).digest());
