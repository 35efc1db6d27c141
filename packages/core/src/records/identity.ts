/** Identities whose keys the engine holds, with their DID documents, and keys that are held elsewhere. */
import type { JsonObject } from './json/json.js';

export interface IdentityRecord {
  /** The DID. */
  id: string;
  /** The DID document: every key the identity has signed with here, the current one first. */
  document: JsonObject;
  /** Name of its key in the `Keys` port if it is not the DID. */
  key?: string;
}

/** A key that a member registered. Signatures made with a revoked key are no longer accepted. */
export interface IdentityKey {
  /** The public key as a multikey. A key is registered once, for one identity. */
  id: string;
  /** The identity that signs with it: the member's own, or the `did:key` of a device. */
  did: string;
  /** The member who registered it, and who owns what the device signs. */
  member: string;
  /** What the member calls it. */
  name?: string;
  createDate: string;
  revokeDate?: string;
  /** The key that replaced it. */
  replacedBy?: string;
}

/** A revoked token. Kept until it would have expired. */
export interface RevokedToken {
  /** SHA-256 of the `jti`, in hexadecimal digits. */
  id: string;
  /** The `jti`. */
  tokenId: string;
  /** When the token expires: ISO 8601. */
  expiresAt: string;
  /** Who revoked it. */
  revokedBy: string;
  reason?: string;
  createDate: string;
}

/** An invitation into a group. Can be accepted once. */
export interface Invitation {
  id: string;
  /** The group. */
  group: string;
  role: string;
  /** Who invited. */
  by: string;
  createDate: string;
  /** Who accepted it; absent while it is open. */
  takenBy?: string;
}
