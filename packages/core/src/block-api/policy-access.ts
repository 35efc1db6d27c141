/** A block's access to its policy's data: documents, members, definitions and users. */
import type { PolicyUser } from '../access/index.js';
import type {
  ArtifactRecord,
  Condition,
  DocumentInput,
  DocumentRecord,
  Membership,
  Order,
  PolicyGroup,
  SchemaRecord,
  TokenRecord,
} from '../records/index.js';
import type { EventData } from './event.js';
import type { DocumentRow, Selection } from './selection.js';

export interface DocumentReader {
  get(id: string): Promise<DocumentRecord | undefined>;
  /** Documents that match the condition, in insertion order unless `range` specifies another. */
  find(where: Condition, range?: DocumentRange & { readonly order?: Order }): Promise<DocumentRecord[]>;
  /** The documents a grid shows: each document of the selection once, with the tag of its source. */
  rows(selection: Selection, range?: DocumentRange): Promise<DocumentRow[]>;
  count(selection: Selection): Promise<number>;
  /** Past values of `option` and when each took effect, oldest first; the last entry is the current one. */
  history(document: DocumentRecord): Promise<PastState[]>;
}

export interface DocumentRange {
  readonly offset?: number;
  readonly limit?: number;
}

/** A past state of a document: its `option`, its comment if any, and when it took effect. */
export interface PastState {
  readonly option: DocumentRecord['option'];
  readonly comment?: string;
  readonly created: string;
}

export interface DocumentWriter extends DocumentReader {
  /** Adds a document and fills in missing members. `DOCUMENT_EXISTS` if the id is taken. */
  add(document: DocumentInput): Promise<DocumentRecord>;
  /** Updates a stored document. A change of `option` is recorded in its history unless `inHistory` is `false`. */
  update(document: DocumentRecord, how?: { readonly inHistory?: boolean }): Promise<DocumentRecord>;
  /** `DOCUMENT_UNKNOWN` if it does not exist. */
  remove(id: string): Promise<void>;
}

export interface MembershipReader {
  /** The current user's memberships, in order of creation. */
  mine(): Promise<Membership[]>;
  /** All members of a group of this policy. */
  inGroup(uuid: string): Promise<Membership[]>;
  /** All members with a role in this policy. */
  all(): Promise<Membership[]>;
}

export interface MembershipWriter extends MembershipReader {
  /**
   * Gives the current user a role of the policy directly. `ROLE_TAKEN` if they already hold it. The new membership
   * becomes active unless another one is. Returns the user with the new membership.
   */
  takeRole(role: string): Promise<PolicyUser>;
  /**
   * The current user creates or joins a group, as its template defines; `label` names a newly created group. Otherwise
   * like `takeRole`.
   */
  enterGroup(group: PolicyGroup, label?: string): Promise<PolicyUser>;
  /** Creates a single-use invitation to a group of this policy and returns its id. */
  invite(group: string, role: string): Promise<string>;
  /**
   * The current user accepts an invitation. `INVITATION_UNKNOWN` if it does not exist or is used; otherwise like
   * `takeRole`.
   */
  join(invitation: string): Promise<PolicyUser>;
  /** Removes a member from a group. `MEMBERSHIP_UNKNOWN` if they are not a member. */
  remove(group: string, did: string): Promise<Membership>;
  /** Records the ledger message that proves a membership. */
  prove(membership: Membership, messageId: string): Promise<void>;
}

export interface DefinitionReader {
  /** A schema by its IRI. */
  schema(iri: string): Promise<SchemaRecord | undefined>;
  schemas(): Promise<SchemaRecord[]>;
  /** A token by its id. */
  token(tokenId: string): Promise<TokenRecord | undefined>;
  /** A file by its uuid. */
  artifact(uuid: string): Promise<ArtifactRecord | undefined>;
}

export interface UserReader {
  /** Any identity as a user of this policy, in the given group or in their active one. */
  as(did: string, group?: string | null): Promise<PolicyUser>;
  /** The user with this state key. */
  byKey(key: string): Promise<PolicyUser>;
  /**
   * The user that a link with this actor runs as: owner or issuer of the (first) document, otherwise the current user.
   */
  actor(actor: 'owner' | 'issuer' | '' | null | undefined, data: EventData): Promise<PolicyUser>;
  /** The identity's ledger account; `null` if it has none. */
  account(did: string): Promise<string | null>;
  /** Whether the identity is a device registered by the member whose key is not revoked. */
  isDeviceOf(device: string, member: string): Promise<boolean>;
  /** Display name of an identity; the DID itself if none is known. */
  nameOf(did: string): Promise<string>;
}
