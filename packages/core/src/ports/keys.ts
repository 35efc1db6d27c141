/** The keys of the identities that live here: who holds one can speak for its identity. */

/**
 * Keys are Ed25519. A private key never leaves the port. A key's name is the DID of its identity; only of identities that the
 * engine itself made it is `identity:<uuid>`.
 */
export interface Keys {
  /**
   * The public key, 32 bytes. The same one every time, also after a restart. Rejects with `KEY_UNAVAILABLE` where the port has
   * none of that name.
   */
  publicKey(name: string): Promise<Uint8Array>;

  /** Signs with the key; 64 bytes. Rejects with `KEY_UNAVAILABLE` where the port has none of that name. */
  sign(name: string, bytes: Uint8Array): Promise<Uint8Array>;
}
