/** Proofs: the Data Integrity cryptosuite `eddsa-jcs-2022`, creation and verification. */
import { createHash, verify } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sameJson } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';
import { publicKeyObject, toSignatureText } from './multikey.js';
import { CRYPTOSUITE, PROOF_TYPE, readProof, type ProofPurpose, type ReadProof } from './proof-options.js';
import { VALID, refused, type Verdict } from './verdict.js';

export interface ProofRequest {
  /** Location of the public key: `<did>#<multikey>`. */
  readonly verificationMethod: string;
  /** ISO 8601. */
  readonly created: string;
  readonly purpose: ProofPurpose;
  /** Signs with the key of the verification method; 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

type Resolved = { readonly key: Uint8Array } | { readonly reason: string };

/** Resolves the public key that a proof names, or says why it may not be used for this purpose. */
export type KeyResolver = (
  proof: Pick<ReadProof, 'verificationMethod' | 'purpose' | 'created'>,
) => Resolved | Promise<Resolved>;

/**
 * Creates the proof of an unsigned document (Data Integrity EdDSA Cryptosuites 1.0, section 3.3.1). The document must be
 * bounded JSON.
 */
export async function createProof(document: JsonObject, request: ProofRequest): Promise<JsonObject> {
  const context = document['@context'];
  const options: JsonObject = {
    type: PROOF_TYPE,
    cryptosuite: CRYPTOSUITE,
    created: request.created,
    verificationMethod: request.verificationMethod,
    proofPurpose: request.purpose,
    ...(context !== undefined && { '@context': context }),
  };
  const signature = await request.sign(signedBytes(options, document));
  return { ...options, proofValue: toSignatureText(signature) };
}

/**
 * Whether the document's proof is valid (same specification, section 3.3.2). The document must be bounded JSON; its proof may be
 * anything. `now`, in milliseconds since 1970, is compared with the proof's expiry.
 */
export async function verifyProof(document: JsonObject, resolveKey: KeyResolver, now: number): Promise<Verdict> {
  const { proof, ...unsecured } = document;
  const read = readProof(proof, now);
  if (typeof read === 'string') return refused(read);
  const context = read.options['@context'];
  if (context !== undefined) {
    if (!beginsWith(unsecured['@context'], context)) return refused('its @context is not the one that was signed');
    unsecured['@context'] = context;
  }
  const found = await resolveKey(read);
  if ('reason' in found) return refused(found.reason);
  return verify(null, signedBytes(read.options, unsecured), publicKeyObject(found.key), read.signature)
    ? VALID
    : refused('its signature does not fit what it says');
}

/** Contexts appended by intermediaries are not signed. */
function beginsWith(whole: Json | undefined, start: Json): boolean {
  if (whole === undefined) return false;
  const all = Array.isArray(whole) ? whole : [whole];
  const first = Array.isArray(start) ? start : [start];
  return first.length <= all.length && first.every((each, at) => sameJson(each, all[at]));
}

const signedBytes = (options: JsonObject, document: JsonObject): Uint8Array =>
  Buffer.concat([canonicalHash(options), canonicalHash(document)]);

const canonicalHash = (value: JsonObject): Uint8Array =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest();
