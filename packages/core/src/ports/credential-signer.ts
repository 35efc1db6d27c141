/** Signs and verifies with the keys of this instance's users, for requests of other instances. */
import type { JsonObject } from '../records/index.js';

export interface CredentialSigner {
  /**
   * Resolves with the credential and its `proof` by the key of `signer`. May be called again for the same request. An error
   * with a status below 500 closes the request as `ERROR`.
   */
  sign(credential: JsonObject, signer: string): Promise<JsonObject>;

  /** Whether the proof was made by the signer for exactly this credential. Checks answers of other instances. */
  verify(signed: JsonObject, signer: string): Promise<boolean>;
}
