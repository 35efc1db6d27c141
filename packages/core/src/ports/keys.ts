/** What signs: the private keys of local identities, whose holder can sign as the identity, and hashes of linked data. */
import type { JsonObject } from '../records/index.js';

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

/** The JSON-LD context of a published schema: its address, and the file there, with the members in their order. */
export interface LinkedContext {
  readonly address: string;
  readonly document: JsonObject;
}

export interface LinkedData {
  /**
   * The SHA-256 of the canonical statements (URDNA2015) of each of these parts of a document: the document without its proof, or the
   * options of its proof; 32 bytes each. Must fetch nothing: contexts other than those of the standards are `published`, or
   * follow from the document. Rejects with an error whose `code` is `CREDENTIAL_INVALID`, and whose message is the reason, if the document
   * is no linked data, if a part of it would not be signed, or if it takes too much work.
   */
  hashes(
    parts: readonly JsonObject[],
    document: JsonObject,
    published: readonly LinkedContext[],
  ): Promise<readonly Uint8Array[]>;
}

/** How an instance signs credentials and presentations. Both are verified, the second with `linkedData`. */
export const proofSuites = ['eddsa-jcs-2022', 'Ed25519Signature2018'] as const;
export type ProofSuite = (typeof proofSuites)[number];

/** What the identities that the engine makes are called. Without one, they are `did:key`. */
export interface DidMethod {
  /**
   * The DID of a public key (32 bytes), and its DID document, which has the DID as its `id` and the key as its first method: a Multikey or
   * an `Ed25519VerificationKey2018`, whose id begins with the DID. The same key has the same identity.
   */
  identityOf(publicKey: Uint8Array): { readonly did: string; readonly document: JsonObject };
}
