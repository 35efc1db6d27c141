/**
 * Verifies proofs: of the cryptosuite `eddsa-jcs-2022` (Data Integrity EdDSA Cryptosuites 1.0, section 3.3.2), and of the suite
 * `Ed25519Signature2018` with the hashes of another program.
 */
import { canonical, isObject, type Json, type JsonObject, listOf, sameJson } from '../json.js';
import { sha256OfText } from './digest.js';
import { fromJws, type LinkedHash, LINKED_PROOF, linkedBytes } from './linked-proof.js';
import { fromMultibase, keyOfMultikey, SIGNATURE_BYTES } from './multikey.js';

export interface ProofFacts {
  readonly verificationMethod: string;
  readonly purpose: string;
  /** In milliseconds since 1970; absent if the proof names no moment. */
  readonly created?: number;
}

/** The multikey that the proof may use, or why it may not. */
export type KeyLookup = (facts: ProofFacts) => Promise<{ readonly multikey: string } | { readonly reason: string }>;

/** What is not known of a proof, and what to do; not that anything is wrong. */
export interface Unchecked {
  readonly unchecked: string;
}

/** Proofs that are recognised, but not verified here. */
const OTHER_PROOFS = ['BbsBlsSignature2020', 'BbsBlsSignatureProof2020'];

/** Why the proof does not hold, or cannot be checked; `null` if it holds. `now` in milliseconds since 1970. */
export async function proofProblem(
  document: JsonObject,
  lookup: KeyLookup,
  now: number,
  linkedHash?: LinkedHash,
): Promise<string | Unchecked | null> {
  const { proof, ...unsecured } = document;
  if (proof === undefined) return 'it has no proof';
  if (!isObject(proof)) return 'its proof is not an object';
  const isLinked = proof.type === LINKED_PROOF;
  const { [isLinked ? 'jws' : 'proofValue']: value, ...options } = proof;
  const { type, cryptosuite, verificationMethod, proofPurpose, created, expires, previousProof } = options;
  if (typeof type === 'string' && OTHER_PROOFS.includes(type))
    return { unchecked: `its signature: not checked: a proof of the type ${type}, ask a program that verifies those` };
  if (!isLinked && type !== 'DataIntegrityProof') return 'its proof is of an unknown type';
  if (!isLinked && cryptosuite !== 'eddsa-jcs-2022') return 'its proof is of an unknown cryptosuite';
  if (previousProof !== undefined) return 'its proof builds on another proof';
  if (typeof verificationMethod !== 'string') return 'its proof names no key';
  if (typeof proofPurpose !== 'string') return 'its proof names no purpose';
  const [start, end] = [momentOf(created), momentOf(expires)];
  if (created !== undefined && start === undefined) return 'the date of its proof is not a date';
  if (expires !== undefined && (end === undefined || end <= now)) return 'its proof has expired';
  const jws = isLinked ? fromJws(value) : undefined;
  const signature =
    jws?.signature ?? (typeof value === 'string' && !isLinked ? fromMultibase(value, SIGNATURE_BYTES) : undefined);
  if (signature === undefined) return 'its proof value is not a signature';
  const context = isLinked ? undefined : options['@context'];
  if (context !== undefined) {
    if (!beginsWith(unsecured['@context'], context)) return 'its @context is not the one that was signed';
    unsecured['@context'] = context;
  }
  const facts = { verificationMethod, purpose: proofPurpose, ...(start !== undefined && { created: start }) };
  const resolved = await lookup(facts);
  if ('reason' in resolved) return resolved.reason;
  const key = keyOfMultikey(resolved.multikey);
  if (key === undefined) return 'its key is not an Ed25519 key';
  if (jws !== undefined && linkedHash === undefined)
    return {
      unchecked: `its signature: not checked: a proof of the type ${LINKED_PROOF} needs @blockwork/linked-data`,
    };
  const bytes =
    jws === undefined || linkedHash === undefined
      ? await canonicalBytes(options, unsecured)
      : await linkedBytes(jws.header, options, unsecured, linkedHash);
  if (typeof bytes === 'string') return bytes;
  return (await isSigned(key, signature, bytes)) ? null : 'its signature does not fit what it says';
}

async function canonicalBytes(options: JsonObject, document: JsonObject): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(64);
  bytes.set(await sha256OfText(canonical(options)));
  bytes.set(await sha256OfText(canonical(document)), 32);
  return bytes;
}

async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
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
