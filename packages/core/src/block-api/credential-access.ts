/** Verifying and issuing credentials from a block. */
import type { Json, JsonObject } from '../records/index.js';

export interface CredentialVerifier {
  /**
   * Checks the proof of a credential or presentation and of every credential in it; gives a reason if it is invalid.
   */
  verify(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /**
   * Like `verify`, but for documents the policy has already accepted: a signature dated before its key was revoked
   * remains valid. Incoming data cannot be trusted to state its date, so check it with `verify`.
   */
  verifyStored(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /** The document's hash, by which it is looked up; covers id, type, issuer and date (reference, section 6.2). */
  hash(document: JsonObject): string;
}

export interface CredentialIssuer extends CredentialVerifier {
  /** Whether this engine holds a signing key of the identity. It never holds the key of a `did:key` identity. */
  holdsKeyOf(did: string): Promise<boolean>;
  /** Issues a credential signed by `issuer`, whose key this engine must hold. Throws `KEY_UNAVAILABLE`. */
  issue(credential: CredentialInput): Promise<JsonObject>;
  /** Bundles credentials into a presentation, signed by `holder`. */
  present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject>;
  /** Creates an identity with a new key. */
  createIdentity(): Promise<{ readonly did: string; readonly document: JsonObject }>;
}

export interface CredentialInput {
  readonly issuer: string;
  /** The group the issuer acts for. */
  readonly group?: string | null;
  /** Stored as the single element of `credentialSubject`. `type` and `@context` name its schema. */
  readonly subject: JsonObject;
  readonly evidence?: readonly Json[];
}
