/** Hashes of credentials and presentations, by which documents are looked up (reference, section 6.2). */
import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import { nestsTooDeep } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';
import { isCredential, isPresentation } from './envelope.js';

/**
 * Base 58 of the SHA-256 of `{id, type, issuer, issuanceDate}` as JSON; of a presentation, of `{id, type,
 * verifiableCredential}` with the hashes of its credentials. It does not cover the subject: uniqueness rests on the id.
 */
export function documentHash(document: JsonObject): string {
  const { id, type, issuer, issuanceDate, verifiableCredential: credentials } = document;
  if (!isPresentation(document)) return hashOf({ id, type, issuer, issuanceDate });
  const verifiableCredential = (Array.isArray(credentials) ? credentials : []).map((credential) =>
    isCredential(credential) ? documentHash(credential) : null,
  );
  return hashOf({ id, type, verifiableCredential });
}

/** Members that nest too deep count as absent. */
function hashOf(parts: Record<string, Json | undefined>): string {
  const shown = Object.entries(parts).filter(([, part]) => !nestsTooDeep(part));
  const text = JSON.stringify(Object.fromEntries(shown));
  return base58.encode(hash('sha256', text, 'buffer'));
}
