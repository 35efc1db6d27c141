/** What a block reads with: everything it may know, and nothing global. */
import type { Availability, PolicyUser } from '../access/index.js';
import type { ErrorCode, ErrorOptionsOf, LocationFact } from '../errors.js';
import type { BlockKind, BlockNode } from '../policy/index.js';
import type { Clock } from '../ports/index.js';
import type { Condition, Json, PolicyGroup, PolicyStatus, PolicyToken, PolicyTopic } from '../records/index.js';
import type { EntryReader, StateReader } from './block-memory.js';
import type { CredentialVerifier } from './credential-access.js';
import type { LedgerReader } from './ledger-access.js';
import type { DefinitionReader, DocumentRange, DocumentReader, MembershipReader, UserReader } from './policy-access.js';
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
  readonly entries: EntryReader;
  readonly users: UserReader;
  readonly ledger: LedgerReader;
  readonly credentials: CredentialVerifier;
  /**
   * The stored document with this id, if the user sees it at this block: in a grid that offers the block in a column, in the
   * grid that holds it, or from its own document sources. Never take a posted document in its place.
   */
  offered(documentId: string): Promise<DocumentRow | undefined>;
  /** The rows of a selection for showing only, with the members that clients look for: they may be frozen, and kept for others. */
  shownRows(selection: Selection, range?: DocumentRange): Promise<readonly DocumentRow[]>;
  readonly clock: Clock;
  /** Throws an error that names the policy and this block. */
  fail<Code extends ErrorCode>(code: Code, ...options: ErrorOptionsOf<Code, LocationFact>): never;
}

/** What a block may know of its policy. */
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

/**
 * Another block, as seen for the same user and query. Every ability resolves with `undefined` where the block's type
 * lacks it.
 */
export interface BlockHandle {
  readonly block: BlockNode;
  /** `unknown` where the engine does not know the type. */
  readonly kind: BlockKind | 'unknown';
  /** Whether `enrich` may give other rows than it was given. */
  readonly enriches: boolean;
  /** Whether its parent may offer it to the user now, leaving the parent's own ancestors aside. */
  availability(): Promise<Availability>;
  select(): Promise<Selection | undefined>;
  narrow(): Promise<Condition | undefined>;
  page(): Promise<Page | undefined>;
  answer(question: Json): Promise<Json | undefined>;
  /** The rows as they were given, where its type lacks the ability. */
  enrich(rows: readonly DocumentRow[]): Promise<readonly DocumentRow[]>;
}
