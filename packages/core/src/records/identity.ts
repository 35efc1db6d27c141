/** Identities that the engine holds keys of, as DID documents. */
import type { JsonObject } from './json/json.js';

export interface IdentityRecord {
  /** The DID. */
  id: string;
  /** The DID document: every key that the identity ever signed with here, the present one first. */
  document: JsonObject;
  /** Name of its key in the port, where that is not the DID. */
  key?: string;
}

/** An invitation into a group: taken once. */
export interface Invitation {
  id: string;
  /** The group. */
  group: string;
  role: string;
  /** Who invited. */
  by: string;
  createDate: string;
  /** Who took it; absent while it is open. */
  takenBy?: string;
}
