/** How a block verifies credentials and issues them. */
import type { Json, JsonObject } from '../records/index.js';

export interface CredentialVerifier {
  /** Whether the proof of a credential or presentation, and of every credential in it, holds; with the reason if not. */
  verify(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /**
   * The same for a document that the policy has taken in already: a signature that says it was made before its key was
   * revoked holds. From outside that cannot be believed, so data that comes in is checked with `verify`.
   */
  verifyStored(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /** What a document is found by: it covers its id, type, issuer and date (reference, section 6.2). */
  hash(document: JsonObject): string;
}

export interface CredentialIssuer extends CredentialVerifier {
  /** Whether a key of the identity is here to sign with. Identities that bring a `did:key` keep theirs to themselves. */
  holdsKeyOf(did: string): Promise<boolean>;
  /** Issues a credential, signed by `issuer`, whose keys must be here. Throws `KEY_UNAVAILABLE`. */
  issue(credential: CredentialInput): Promise<JsonObject>;
  /** Bundles credentials into a presentation, signed by `holder`. */
  present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject>;
  /** Creates an identity with a new key. */
  createIdentity(): Promise<{ readonly did: string; readonly document: JsonObject }>;
}

export interface CredentialInput {
  readonly issuer: string;
  /** Group in whose name the issuer acts. */
  readonly group?: string | null;
  /** What the subject says; stored as the one element of `credentialSubject`. Its `type` and `@context` name its schema. */
  readonly subject: JsonObject;
  readonly evidence?: readonly Json[];
}
