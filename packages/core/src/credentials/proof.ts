/** Proofs: the Data Integrity cryptosuite `eddsa-jcs-2022`, creation and verification. */
import canonicalize from 'canonicalize';
import { createHash, verify } from 'node:crypto';
import { isObject, type Json, type JsonObject, sameJson } from '../records/index.js';
import { fromSignatureText, publicKeyObject, toSignatureText } from './multikey.js';
import { refused, VALID, type Verdict } from './verdict.js';

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

const PROOF_TYPE = 'DataIntegrityProof';
const CRYPTOSUITE = 'eddsa-jcs-2022';

/** What a key may be used for: assertions or authentication. */
export type ProofPurpose = 'assertionMethod' | 'authentication';

interface ReadProof {
  /** The proof without its `proofValue`. */
  readonly options: JsonObject;
  readonly verificationMethod: string;
  readonly purpose: string;
  /** The proof's stated creation time, in milliseconds since the epoch. */
  readonly created?: number;
  readonly signature: Uint8Array;
}

/** The proof as far as it can be read without a key, or why it is invalid; `now` in milliseconds since 1970. */
function readProof(proof: unknown, now: number): ReadProof | string {
  if (proof === undefined) return 'it has no proof';
  if (Array.isArray(proof)) return 'it has a list of proofs; one proof is understood';
  if (!isObject(proof)) return 'its proof is not an object';
  const { proofValue, ...options } = proof as JsonObject;
  const { type, cryptosuite, verificationMethod, proofPurpose, created, expires, previousProof } = options;
  if (type !== PROOF_TYPE) return `its proof has the type ${quoted(type)}; ${PROOF_TYPE} is understood`;
  if (cryptosuite !== CRYPTOSUITE)
    return `its proof has the cryptosuite ${quoted(cryptosuite)}; ${CRYPTOSUITE} is understood`;
  if (previousProof !== undefined) return 'its proof builds on another proof, which is not understood';
  if (typeof verificationMethod !== 'string') return 'its proof names no verification method';
  if (typeof proofPurpose !== 'string') return 'its proof names no purpose';
  const start = momentOf(created);
  if (created !== undefined && start === undefined) return 'the date of its proof is not a date';
  const end = expires === undefined ? Infinity : momentOf(expires);
  if (end === undefined) return 'the date on which its proof expires is not a date';
  if (end <= now) return 'its proof has expired';
  const signature = typeof proofValue === 'string' ? fromSignatureText(proofValue) : undefined;
  if (signature === undefined) return 'its proof value is not a signature in base 58';
  const moment = start === undefined ? {} : { created: start };
  return { options, verificationMethod, purpose: proofPurpose, ...moment, signature };
}

/** An XML Schema dateTimeStamp (Verifiable Credential Data Integrity 1.0, section 2.1), in milliseconds since 1970. */
function momentOf(value: unknown): number | undefined {
  const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,30})?(Z|[+-]\d\d:\d\d)$/;
  if (typeof value !== 'string' || !stamp.test(value)) return undefined;
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : moment;
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, 60)}"` : value === undefined ? '(none)' : '(not a text)';
