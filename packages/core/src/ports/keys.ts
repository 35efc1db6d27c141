/** The private keys of local identities. The holder of a key can sign as its identity. */

/**
 * Keys are Ed25519 and never leave the port. A key is named after the DID of its identity, or `identity:<uuid>` for identities
 * that the engine created.
 */
export interface Keys {
  /**
   * The public key, 32 bytes. Stable across calls and restarts. Rejects with `KEY_UNAVAILABLE` for an unknown
   * name.
   */
  publicKey(name: string): Promise<Uint8Array>;

  /** Signs with the key; 64 bytes. Rejects with `KEY_UNAVAILABLE` for an unknown name. */
  sign(name: string, bytes: Uint8Array): Promise<Uint8Array>;
}
