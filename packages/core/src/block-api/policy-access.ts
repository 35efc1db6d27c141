/** How a block reaches the data of its policy: documents, members, definitions and users. */
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
  /** The documents that meet the condition, in the order in which they were added unless `range` gives another. */
  find(where: Condition, range?: DocumentRange & { readonly order?: Order }): Promise<DocumentRecord[]>;
  /** The documents that a grid shows: each of the selection once, with the tag of its source. */
  rows(selection: Selection, range?: DocumentRange): Promise<DocumentRow[]>;
  count(selection: Selection): Promise<number>;
  /** What `option` was, oldest first, and since when; the last entry is the present. */
  history(document: DocumentRecord): Promise<PastState[]>;
}

export interface DocumentRange {
  readonly offset?: number;
  readonly limit?: number;
}

/** What a document once was: its `option`, its comment if it had one, and since when. */
export interface PastState {
  readonly option: DocumentRecord['option'];
  readonly comment?: string;
  readonly created: string;
}

export interface DocumentWriter extends DocumentReader {
  /** Adds a document; what is missing is filled in. `DOCUMENT_EXISTS` when its id is taken. */
  add(document: DocumentInput): Promise<DocumentRecord>;
  /** Changes a stored document. A changed `option` is remembered in its history, unless `inHistory` is `false`. */
  update(document: DocumentRecord, how?: { readonly inHistory?: boolean }): Promise<DocumentRecord>;
  /** `DOCUMENT_UNKNOWN` when there is none. */
  remove(id: string): Promise<void>;
}

export interface MembershipReader {
  /** All of the current user, in the order in which they were taken. */
  mine(): Promise<Membership[]>;
  /** All members of a group of this policy. */
  inGroup(uuid: string): Promise<Membership[]>;
  /** All users with a role in this policy. */
  all(): Promise<Membership[]>;
}

export interface MembershipWriter extends MembershipReader {
  /**
   * The current user takes a role of the policy directly. `ROLE_TAKEN` when they hold it already. Becomes
   * active unless another membership is. Returns the user as a member of what they took.
   */
  takeRole(role: string): Promise<PolicyUser>;
  /** The current user founds or joins a group by its template; `label` names a group of their own. Otherwise as `takeRole`. */
  enterGroup(group: PolicyGroup, label?: string): Promise<PolicyUser>;
  /** Makes an invitation into a group of this policy and returns its id; it can be taken once. */
  invite(group: string, role: string): Promise<string>;
  /** The current user takes an invitation. `INVITATION_UNKNOWN` when there is no open one; otherwise as `takeRole`. */
  join(invitation: string): Promise<PolicyUser>;
  /** Takes a member out of a group. `MEMBERSHIP_UNKNOWN` when they are not in it. */
  remove(group: string, did: string): Promise<Membership>;
  /** Remembers the ledger message that proves a membership. */
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
  /** Any identity as a user of this policy, in the given group or their active one. */
  as(did: string, group?: string | null): Promise<PolicyUser>;
  /** The user whose state is kept under this key. */
  byKey(key: string): Promise<PolicyUser>;
  /** In whose name a link with this actor runs: the (first) document's owner or issuer, otherwise the current user. */
  actor(actor: 'owner' | 'issuer' | '' | null | undefined, data: EventData): Promise<PolicyUser>;
  /** The ledger account of an identity; `null` where it has none. */
  account(did: string): Promise<string | null>;
  /** Whether the identity is a device that the member has registered and whose key is not revoked. */
  isDeviceOf(device: string, member: string): Promise<boolean>;
  /** What people call an identity here; the DID itself where nothing is known. */
  nameOf(did: string): Promise<string>;
}
