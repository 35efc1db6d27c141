/** Proof options, and how to read them from an untrusted proof. */
import { isObject } from '../records/index.js';
import type { JsonObject } from '../records/index.js';
import { fromSignatureText } from './multikey.js';

export const PROOF_TYPE = 'DataIntegrityProof';
export const CRYPTOSUITE = 'eddsa-jcs-2022';

/** What a key may be used for: assertions or authentication. */
export type ProofPurpose = 'assertionMethod' | 'authentication';

export interface ReadProof {
  /** The proof without its `proofValue`. */
  readonly options: JsonObject;
  readonly verificationMethod: string;
  readonly purpose: string;
  /** The proof's stated creation time, in milliseconds since the epoch. */
  readonly created?: number;
  readonly signature: Uint8Array;
}

/** The proof as far as it can be read without a key, or why it is invalid; `now` in milliseconds since 1970. */
export function readProof(proof: unknown, now: number): ReadProof | string {
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
