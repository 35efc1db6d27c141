/** The keys of this instance's users, as far as requests of other instances need them. */
import type { JsonObject } from '../records/index.js';

export interface CredentialSigner {
  /**
   * Resolves with the credential, complete with a proof in `proof` by the key of `signer`. It may be called again for
   * the same request. What it throws with a status below 500 ends the request as an error.
   */
  sign(credential: JsonObject, signer: string): Promise<JsonObject>;

  /** Whether the proof is the signer's, and over exactly this credential; for answers of other instances. */
  verify(signed: JsonObject, signer: string): Promise<boolean>;
}
