/** Identities whose keys the engine holds, with their DID documents. */
import type { JsonObject } from './json/json.js';

export interface IdentityRecord {
  /** The DID. */
  id: string;
  /** The DID document: every key the identity has signed with here, the current one first. */
  document: JsonObject;
  /** Name of its key in the `Keys` port if it is not the DID. */
  key?: string;
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
