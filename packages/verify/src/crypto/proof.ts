/** Verifies proofs of the cryptosuite `eddsa-jcs-2022` (Data Integrity EdDSA Cryptosuites 1.0, section 3.3.2). */
import { canonical, isObject, type Json, type JsonObject, listOf, sameJson } from '../json.js';
import { sha256OfText } from './digest.js';
import { fromMultibase, keyOfMultikey, SIGNATURE_BYTES } from './multikey.js';

export interface ProofFacts {
  readonly verificationMethod: string;
  readonly purpose: string;
  /** In milliseconds since 1970; absent if the proof names no moment. */
  readonly created?: number;
}

/** The multikey that the proof may use, or why it may not. */
export type KeyLookup = (facts: ProofFacts) => { readonly multikey: string } | { readonly reason: string };

/** Why the proof does not hold; `null` if it does. `now` in milliseconds since 1970. */
export async function proofProblem(document: JsonObject, lookup: KeyLookup, now: number): Promise<string | null> {
  const { proof, ...unsecured } = document;
  if (proof === undefined) return 'it has no proof';
  if (!isObject(proof)) return 'its proof is not an object';
  const { proofValue, ...options } = proof;
  const { type, cryptosuite, verificationMethod, proofPurpose, created, expires, previousProof } = options;
  if (type !== 'DataIntegrityProof') return 'its proof is of an unknown type';
  if (cryptosuite !== 'eddsa-jcs-2022') return 'its proof is of an unknown cryptosuite';
  if (previousProof !== undefined) return 'its proof builds on another proof';
  if (typeof verificationMethod !== 'string') return 'its proof names no key';
  if (typeof proofPurpose !== 'string') return 'its proof names no purpose';
  const [start, end] = [momentOf(created), momentOf(expires)];
  if (created !== undefined && start === undefined) return 'the date of its proof is not a date';
  if (expires !== undefined && (end === undefined || end <= now)) return 'its proof has expired';
  const signature = typeof proofValue === 'string' ? fromMultibase(proofValue, SIGNATURE_BYTES) : undefined;
  if (signature === undefined) return 'its proof value is not a signature';
  const context = options['@context'];
  if (context !== undefined) {
    if (!beginsWith(unsecured['@context'], context)) return 'its @context is not the one that was signed';
    unsecured['@context'] = context;
  }
  const facts = { verificationMethod, purpose: proofPurpose, ...(start !== undefined && { created: start }) };
  const found = lookup(facts);
  if ('reason' in found) return found.reason;
  const key = keyOfMultikey(found.multikey);
  if (key === undefined) return 'its key is not an Ed25519 key';
  return (await isSigned(key, signature, options, unsecured)) ? null : 'its signature does not fit what it says';
}

async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  options: JsonObject,
  document: JsonObject,
): Promise<boolean> {
  const bytes = new Uint8Array(64);
  bytes.set(await sha256OfText(canonical(options)));
  bytes.set(await sha256OfText(canonical(document)), 32);
  const imported = await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
  return crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, bytes);
}

/** Contexts that are appended later are not signed. */
function beginsWith(whole: Json | undefined, start: Json): boolean {
  const [all, first] = [listOf(whole), listOf(start)];
  return first.length <= all.length && first.every((each, at) => sameJson(each, all[at] ?? null));
}

/** An XML Schema dateTimeStamp in milliseconds since 1970. */
export function momentOf(value: Json | undefined): number | undefined {
  const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,30})?(Z|[+-]\d\d:\d\d)$/;
  if (typeof value !== 'string' || !stamp.test(value)) return undefined;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}
