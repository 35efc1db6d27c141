/** Verification of documents: the proof of a credential, or of a presentation and of every credential in it. */
import type { JsonObject } from '../records/index.js';
import { boundedJson } from './bounded-json.js';
import { identityIn, isCredential, isPresentation } from './envelope.js';
import type { IdentityRecords } from './identity-document.js';
import { findKey } from './identity-keys.js';
import type { LinkedHash } from './linked-proof.js';
import { type KeyResolver, type ProofPurpose, verifyProof } from './proof.js';
import { VALID, refused, type Verdict } from './verdict.js';

/** A holder asserts what they bundle, or authenticates to a verifier. */
const HOLDER_PURPOSES: readonly ProofPurpose[] = ['assertionMethod', 'authentication'];

/** Maximum number of credentials in one presentation. */
export const CREDENTIALS_AT_MOST = 10_000;

/** Parameters of a verification. */
export interface Verification {
  readonly records: IdentityRecords;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** For documents already accepted: a signature dated before its key was revoked remains valid. */
  readonly stored?: boolean;
  /** For proofs of linked data; without it, they are refused. */
  readonly linkedHash?: LinkedHash | undefined;
}

/**
 * Accepts any value and never throws because of it. Reports the first reason, with the position of the credential in its
 * presentation (from 1). Validity dates of credentials are not checked; a proof stays valid unless the proof itself expires.
 */
export async function verifyDocument(document: unknown, verification: Verification): Promise<Verdict> {
  const bounded = boundedJson(document);
  if ('reason' in bounded) return refused(`The document is not accepted: ${bounded.reason}.`);
  const { value } = bounded;
  if (isCredential(value)) return about('The credential', await verifyCredential(value, verification));
  if (isPresentation(value)) return verifyPresentation(value, verification);
  return refused('The document is not either a credential or a presentation.');
}

async function verifyPresentation(presentation: JsonObject, verification: Verification): Promise<Verdict> {
  const own = await verifySigned(presentation, 'holder', HOLDER_PURPOSES, verification);
  if (!own.verified) return about('The presentation', own);
  const { verifiableCredential: contained = [] } = presentation;
  const credentials = Array.isArray(contained) ? contained : [contained];
  if (credentials.length > CREDENTIALS_AT_MOST) {
    return refused(`The presentation is not accepted: it holds more than ${String(CREDENTIALS_AT_MOST)} credentials.`);
  }
  for (const [at, credential] of credentials.entries()) {
    const name = `Credential ${String(at + 1)} of the presentation`;
    if (!isCredential(credential)) {
      return about(name, refused('it is not a credential with its own proof'));
    }
    const verdict = await verifyCredential(credential, verification);
    if (!verdict.verified) return about(name, verdict);
  }
  return VALID;
}

const verifyCredential = (credential: JsonObject, verification: Verification): Promise<Verdict> =>
  verifySigned(credential, 'issuer', ['assertionMethod'], verification);

/** The key must belong to the identity that the document names as its signer; every key serves every purpose. */
function verifySigned(
  document: JsonObject,
  role: 'issuer' | 'holder',
  purposes: readonly ProofPurpose[],
  { records, now, stored = false, linkedHash }: Verification,
): Promise<Verdict> {
  const signer = identityIn(document[role]);
  if (signer === undefined) return Promise.resolve(refused(`it names no ${role}`));
  const resolveKey: KeyResolver = async ({ verificationMethod: method, purpose, created }) => {
    if (!(purposes as readonly string[]).includes(purpose)) {
      return { reason: `its proof is not for the purpose ${purposes.join(' or ')}` };
    }
    if (!method.startsWith(`${signer}#`)) return { reason: `its proof is not by its ${role}` };
    const resolved = await findKey(records, signer, method);
    if (resolved === 'unknown identity') return { reason: `the keys of its ${role} are not known here` };
    if (resolved === 'unknown key') return { reason: `its ${role} has no such key` };
    const { key, revokeDate } = resolved;
    if (revokeDate === undefined) return { key };
    const isEarlier = stored && created !== undefined && created < Date.parse(revokeDate);
    return isEarlier ? { key } : { reason: `the key of its ${role} was revoked` };
  };
  return verifyProof(document, resolveKey, now, linkedHash);
}

const about = (what: string, verdict: Verdict): Verdict =>
  verdict.verified ? verdict : refused(`${what} is not accepted: ${verdict.reason}.`);
