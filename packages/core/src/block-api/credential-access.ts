/** How a block verifies credentials and issues them. */
import type { Json, JsonObject } from '../records/index.js';

export interface CredentialVerifier {
  /** Whether the proof of a credential or presentation, and of every credential in it, holds; with the reason if not. */
  verify(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /** What a document is found by: it covers its id, type, issuer and date (reference, section 6.2). */
  hash(document: JsonObject): string;
}

export interface CredentialIssuer extends CredentialVerifier {
  /** Issues a credential, signed by `issuer`, whose keys must be here. Throws `KEY_UNAVAILABLE`. */
  issue(credential: CredentialInput): Promise<JsonObject>;
  /** Bundles credentials into a presentation, signed by `holder`. */
  present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject>;
  /** Makes a new identity with a key of its own. */
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
