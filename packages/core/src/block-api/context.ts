/** What a block is given to work with: everything it may use, and nothing global. */
import type { z } from 'zod';
import type { Availability, PolicyUser } from '../access/index.js';
import type { ErrorCode, ErrorOptions } from '../errors.js';
import type { BlockKind, BlockNode } from '../policy/index.js';
import type { Clock, Ids } from '../ports/index.js';
import type {
  ArtifactRecord,
  BlockEntry,
  Condition,
  DocumentInput,
  DocumentRecord,
  Json,
  JsonObject,
  LedgerEffect,
  LedgerMessage,
  LedgerToken,
  Membership,
  PolicyGroup,
  PolicyStatus,
  PolicyToken,
  PolicyTopic,
  SchemaRecord,
  TokenRecord,
  TokenRelation,
} from '../records/index.js';
import type { DocumentRow, Page, Selection } from './selection.js';

export interface ReadContext<Options = unknown> {
  readonly policy: PolicyView;
  readonly block: BlockNode;
  readonly options: Options;
  readonly user: PolicyUser;
  /** Parameters of this one read, as text. They override stored state for its answer, and are never stored. */
  readonly query: Readonly<Record<string, string>>;
  /** The block that holds this one; `null` for the root. */
  readonly parent: BlockHandle | null;
  /** In the order of the policy. */
  readonly children: readonly BlockHandle[];
  /** Any other block of the policy. */
  blockHandle(block: BlockNode): BlockHandle;
  readonly state: StateReader;
  readonly documents: DocumentReader;
  readonly memberships: MembershipReader;
  /** Schemas, tokens and files that came with the policy. */
  readonly definitions: DefinitionReader;
  /** Rows of this block's own, whoever the user is. */
  readonly entries: EntryReader;
  readonly users: UserReader;
  readonly ledger: LedgerReader;
  readonly credentials: CredentialVerifier;
  /**
   * The stored document with this id, if the user sees it at this block: in a grid that offers the block in a column, in the
   * grid that holds it, or from its own document sources. What clients post is never taken for it.
   */
  offered(documentId: string): Promise<DocumentRow | undefined>;
  readonly clock: Clock;
  /** Throws an error that names the policy and this block. */
  fail(code: ErrorCode, options?: ErrorOptions): never;
}

export interface RunContext<Options = unknown> extends ReadContext<Options> {
  readonly state: StateWriter;
  readonly documents: DocumentWriter;
  readonly memberships: MembershipWriter;
  readonly entries: EntryWriter;
  readonly ledger: LedgerWriter;
  readonly credentials: CredentialIssuer;
  readonly ids: Ids;
  /**
   * Sends `data` along every link of this output, each receiver getting its own copy. Receivers run after this
   * block has finished, first in first out, in the same unit of work; `user` is in whose name, the current user
   * when absent; `result` is what the block made of the data, beside it.
   */
  emit(output: string, data?: Json, user?: PolicyUser, result?: Json): void;
  /** Sends an event to one block of the policy, along no link. */
  raise(target: BlockNode, input: string, data?: Json, user?: PolicyUser): void;
  /** Lets a child do its part, for the same user; `undefined` where its type lacks the ability. */
  assist(child: BlockNode, input: Json): Promise<Json | undefined>;
  /** Writes a warning into the policy's journal: something could not be worked out, and the run goes on. */
  warn(message: string, facts?: JsonObject): void;
}

/** What blocks may know of their policy. */
export interface PolicyView {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly status: PolicyStatus;
  readonly roles: readonly string[];
  readonly groups: readonly PolicyGroup[];
  readonly topics: readonly PolicyTopic[];
  /** Templates of tokens that users of the policy create. */
  readonly tokenTemplates: readonly PolicyToken[];
  readonly policyTag: string;
  /** Ledger message of the policy itself. */
  readonly messageId: string;
  /** Every block, parents before children, children in order. */
  readonly blocks: readonly BlockNode[];
  /** The block with this tag, if there is one. */
  blockByTag(tag: string): BlockNode | undefined;
}

/** A block next to this one, as seen for the same user and query. */
export interface BlockHandle {
  readonly block: BlockNode;
  /** `unknown` where the engine does not know the type. */
  readonly kind: BlockKind | 'unknown';
  /** Whether its parent may offer it to the user now, leaving the parent's own ancestors aside. */
  availability(): Promise<Availability>;
  /** The abilities of the block contract; `undefined` where its type lacks them. */
  select(): Promise<Selection | undefined>;
  narrow(): Promise<Condition | undefined>;
  page(): Promise<Page | undefined>;
  /** `undefined` where its type lacks the ability. */
  answer(question: Json): Promise<Json | undefined>;
  /** The rows as they were given, where its type lacks the ability. */
  enrich(rows: readonly DocumentRow[]): Promise<readonly DocumentRow[]>;
}

/** What this block remembers of the current user (in their current group). */
export interface StateReader {
  /** `undefined` while nothing was set, or when what was set no longer fits the schema. */
  get<T>(schema: z.ZodType<T>): Promise<T | undefined>;
}

export interface StateWriter extends StateReader {
  set(value: Json): Promise<void>;
}

export interface DocumentReader {
  get(id: string): Promise<DocumentRecord | undefined>;
  /** Each document of the selection once. */
  rows(selection: Selection, range?: { readonly offset?: number; readonly limit?: number }): Promise<DocumentRow[]>;
  count(selection: Selection): Promise<number>;
  /** What `option` was, oldest first, and since when; the last entry is the present. */
  history(document: DocumentRecord): Promise<PastState[]>;
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
  /** Changes a stored document. A changed `option` is remembered in its history. */
  update(document: DocumentRecord): Promise<DocumentRecord>;
  /** `DOCUMENT_UNKNOWN` when there is none. */
  remove(id: string): Promise<void>;
}

export interface MembershipReader {
  /** All of the current user, in the order in which they were taken. */
  mine(): Promise<Membership[]>;
  /** All members of a group of this policy. */
  inGroup(uuid: string): Promise<Membership[]>;
  /** Everybody who holds a role in this policy. */
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

export interface EntryReader {
  /** In the order in which they were first put; those with this key, all of the block's when absent. */
  find(key?: string): Promise<BlockEntry[]>;
  get(id: string): Promise<BlockEntry | undefined>;
}

export interface EntryWriter extends EntryReader {
  /** Adds a row, or replaces the one with this id. */
  put(entry: { readonly id: string; readonly key: string; readonly value: Json }): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface UserReader {
  /** Anybody as a user of this policy, in the given group, or in their active one. */
  as(did: string, group?: string | null): Promise<PolicyUser>;
  /** The user whose state is kept under this key. */
  byKey(key: string): Promise<PolicyUser>;
  /** In whose name a link with this actor runs: the (first) document's owner or issuer, otherwise the current user. */
  actor(actor: 'owner' | 'issuer' | '' | null | undefined, data: Json): Promise<PolicyUser>;
  /** The ledger account of an identity; `null` where it has none. */
  account(did: string): Promise<string | null>;
  /** What people call an identity here; the DID itself where nothing is known. */
  nameOf(did: string): Promise<string>;
}

export interface LedgerReader {
  /** A token of the policy as the book has it; `undefined` for one that the policy does not know. */
  token(tokenId: string): Promise<LedgerToken | undefined>;
  /** What the account holds; of an account that never had to do with the token: nothing, not associated. */
  relation(tokenId: string, accountId: string): Promise<TokenRelation>;
  message(messageId: string): Promise<LedgerMessage | undefined>;
  /** Every message that builds on this one, directly or through others, each once, oldest first. */
  descendants(messageId: string): Promise<LedgerMessage[]>;
}

/**
 * Effects on the ledger, as part of the unit of work. Every method throws `TOKEN_UNKNOWN` for a token that the policy does
 * not know, and `LEDGER_REFUSED` with the reason where the ledger's rules forbid it.
 */
export interface LedgerWriter extends LedgerReader {
  /** The six relations resolve with whether anything changed: what is so already is left alone. */
  associate(tokenId: string, accountId: string): Promise<boolean>;
  dissociate(tokenId: string, accountId: string): Promise<boolean>;
  freeze(tokenId: string, accountId: string): Promise<boolean>;
  unfreeze(tokenId: string, accountId: string): Promise<boolean>;
  grantKyc(tokenId: string, accountId: string): Promise<boolean>;
  revokeKyc(tokenId: string, accountId: string): Promise<boolean>;
  /** Makes `units` and gives them to the account, which is associated if it was not. */
  mint(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Destroys `units` that the account holds. */
  wipe(tokenId: string, accountId: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  transfer(tokenId: string, from: string, to: string, units: bigint, memo?: string): Promise<LedgerEffect>;
  /** Makes a token from what its template says. */
  createToken(token: LedgerTokenInput): Promise<LedgerToken>;
  /** Puts a message into a topic of the policy, which is made with its first message. */
  publish(message: LedgerMessageInput): Promise<LedgerMessage>;
}

export interface LedgerTokenInput {
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenType: 'fungible' | 'non-fungible';
  readonly decimals: number;
  readonly source: JsonObject;
}

export interface LedgerMessageInput {
  /** `root`, or a name of the policy's topics. */
  readonly topic: string;
  /** Whom a topic that is not static belongs to; the current user when absent. */
  readonly topicOwner?: string;
  readonly type: string;
  readonly owner: string;
  readonly hash?: string;
  readonly relationships?: readonly string[];
  readonly memo?: string;
  readonly body?: Json;
}

export interface CredentialVerifier {
  /** Whether the proof of a credential or presentation, and of every credential in it, holds; with the reason if not. */
  verify(document: JsonObject): Promise<{ readonly verified: boolean; readonly reason: string }>;
  /** What a document is found by: it covers its id, type, issuer and date (reference, section 6.2). */
  hash(document: JsonObject): string;
}

export interface CredentialIssuer extends CredentialVerifier {
  /** Issues a credential, signed by `issuer`, whose keys must be here. Throws `KEY_UNAVAILABLE`. */
  issue(credential: CredentialInput): Promise<JsonObject>;
  /** Bundles credentials into a presentation, signed by `holder`. */
  present(holder: string, credentials: readonly JsonObject[]): Promise<JsonObject>;
  /** Makes a new identity with a key of its own. */
  createIdentity(): Promise<{ readonly did: string; readonly document: JsonObject }>;
}

export interface CredentialInput {
  readonly issuer: string;
  /** Group in whose name the issuer acts. */
  readonly group?: string | null;
  /** What the subject says; stored as the one element of `credentialSubject`. Its `type` and `@context` name its schema. */
  readonly subject: JsonObject;
  readonly evidence?: readonly Json[];
}
