/** Proofs: the Data Integrity cryptosuite `eddsa-jcs-2022` and the suite `Ed25519Signature2018`, creation and verification. */
import { hash as digest, verify } from 'node:crypto';
import { isBlockworkError } from '../errors.js';
import { canonicalJson, isObject, type Json, type JsonObject, sameJson } from '../records/index.js';
import {
  fromJws,
  hasLinkedProof,
  LINKED_PROOF,
  linkedBytes,
  type LinkedHash,
  linkedHeader,
  toJws,
} from './linked-proof.js';
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
 * Creates a proof of the suite `Ed25519Signature2018`. Throws `CREDENTIAL_INVALID` if the document cannot be read as linked
 * data, before anything is signed. A proof for authentication answers the challenge that the reference's tools always set.
 */
export async function createLinkedProof(
  document: JsonObject,
  { created, verificationMethod, purpose, sign }: ProofRequest,
  hash: LinkedHash,
): Promise<JsonObject> {
  const options: JsonObject = {
    type: LINKED_PROOF,
    created,
    verificationMethod,
    proofPurpose: purpose,
    ...(purpose === 'authentication' && { challenge: '123' }),
  };
  const header = linkedHeader();
  const signature = await sign(await linkedBytes(header, options, document, hash));
  return { ...options, jws: toJws(header, signature) };
}

/**
 * Whether the document's proof is valid (same specification, section 3.3.2). The document must be bounded JSON; its proof may be
 * anything. `now`, in milliseconds since 1970, is compared with the proof's expiry. Without `linkedHash`, proofs of linked data
 * are refused.
 */
export async function verifyProof(
  document: JsonObject,
  resolveKey: KeyResolver,
  now: number,
  linkedHash?: LinkedHash,
): Promise<Verdict> {
  const { proof, ...unsecured } = document;
  const read = readProof(proof, now);
  if (typeof read === 'string') return refused(read);
  if (read.header !== undefined)
    return verifyLinked(unsecured, { ...read, header: read.header }, resolveKey, linkedHash);
  const context = read.options['@context'];
  if (context !== undefined) {
    if (!beginsWith(unsecured['@context'], context)) return refused('its @context is not the one that was signed');
    unsecured['@context'] = context;
  }
  const resolved = await resolveKey(read);
  if ('reason' in resolved) return refused(resolved.reason);
  return verify(null, signedBytes(read.options, unsecured), publicKeyObject(resolved.key), read.signature)
    ? VALID
    : refused('its signature does not fit what it says');
}

/**
 * The SHA-256 of what the document's proof signs, in hexadecimal digits: the same however its JSON is written, and whenever it was
 * signed. The document must be bounded JSON. Throws
 * `CREDENTIAL_INVALID` if it has a proof of linked data and cannot be read as such.
 */
export async function signedHash(document: JsonObject, linkedHash?: LinkedHash): Promise<string> {
  const { proof, ...unsecured } = document;
  if (hasLinkedProof(document) && linkedHash !== undefined)
    return Buffer.concat(await linkedHash([unsecured], unsecured)).toString('hex');
  const context = isObject(proof) ? proof['@context'] : undefined;
  const signed = context === undefined ? unsecured : { ...unsecured, '@context': context };
  return canonicalHash(signed).toString('hex');
}

async function verifyLinked(
  document: JsonObject,
  read: ReadProof & { readonly header: string },
  resolveKey: KeyResolver,
  hash: LinkedHash | undefined,
): Promise<Verdict> {
  if (hash === undefined)
    return refused(`its proof has the type "${LINKED_PROOF}", which needs the option linkedData of the engine`);
  const resolved = await resolveKey(read);
  if ('reason' in resolved) return refused(resolved.reason);
  const bytes = await linkedBytes(read.header, read.options, document, hash).catch((error: unknown) => {
    if (isBlockworkError(error, 'CREDENTIAL_INVALID')) return String(error.facts.reason);
    throw error;
  });
  if (typeof bytes === 'string') return refused(bytes);
  return verify(null, bytes, publicKeyObject(resolved.key), read.signature)
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

const canonicalHash = (value: JsonObject): Buffer => digest('sha256', canonicalJson(value), 'buffer');

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
  /** Of a proof of linked data: the header of its signature. */
  readonly header?: string;
}

/** The proof as far as it can be read without a key, or why it is invalid; `now` in milliseconds since 1970. */
function readProof(proof: unknown, now: number): ReadProof | string {
  if (proof === undefined) return 'it has no proof';
  if (Array.isArray(proof)) return 'it has a list of proofs; one proof is understood';
  if (!isObject(proof)) return 'its proof is not an object';
  const isLinked = proof['type'] === LINKED_PROOF;
  const { [isLinked ? 'jws' : 'proofValue']: value, ...options } = proof as JsonObject;
  const { type, cryptosuite, verificationMethod, proofPurpose, created, expires, previousProof } = options;
  if (!isLinked && type !== PROOF_TYPE)
    return `its proof has the type ${quoted(type)}; ${PROOF_TYPE} and ${LINKED_PROOF} are understood`;
  if (!isLinked && cryptosuite !== CRYPTOSUITE)
    return `its proof has the cryptosuite ${quoted(cryptosuite)}; ${CRYPTOSUITE} is understood`;
  if (previousProof !== undefined) return 'its proof builds on another proof, which is not understood';
  if (typeof verificationMethod !== 'string') return 'its proof names no verification method';
  if (typeof proofPurpose !== 'string') return 'its proof names no purpose';
  const start = momentOf(created);
  if (created !== undefined && start === undefined) return 'the date of its proof is not a date';
  const end = expires === undefined ? Infinity : momentOf(expires);
  if (end === undefined) return 'the date on which its proof expires is not a date';
  if (end <= now) return 'its proof has expired';
  const moment = start === undefined ? {} : { created: start };
  const facts = { options, verificationMethod, purpose: proofPurpose, ...moment };
  if (isLinked) {
    const jws = fromJws(value);
    return jws === undefined ? 'its jws is not a detached EdDSA signature' : { ...facts, ...jws };
  }
  const signature = typeof value === 'string' ? fromSignatureText(value) : undefined;
  return signature === undefined ? 'its proof value is not a signature in base 58' : { ...facts, signature };
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
