/** What a block can read: everything it has access to comes from here, nothing from globals. */
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
  /** Parameters of this read, as text. They override stored state for this answer only and are never stored. */
  readonly query: Readonly<Record<string, string>>;
  /** The containing block; `null` for the root. */
  readonly parent: BlockHandle | null;
  /** In policy order. */
  readonly children: readonly BlockHandle[];
  /** Any other block of the policy. */
  blockHandle(block: BlockNode): BlockHandle;
  readonly state: StateReader;
  readonly documents: DocumentReader;
  readonly memberships: MembershipReader;
  /** Schemas, tokens and files contained in the policy. */
  readonly definitions: DefinitionReader;
  readonly entries: EntryReader;
  readonly users: UserReader;
  readonly ledger: LedgerReader;
  readonly credentials: CredentialVerifier;
  /**
   * The stored document with this id, if the user sees it at this block: in a grid that opens the block from a column,
   * in the grid that contains it, or from its own document sources. Never use a posted document instead.
   */
  offered(documentId: string): Promise<DocumentRow | undefined>;
  /**
   * The rows of a selection, for display only, with the members clients expect. They may be frozen and shared with
   * other readers.
   */
  shownRows(selection: Selection, range?: DocumentRange): Promise<readonly DocumentRow[]>;
  readonly clock: Clock;
  /** Throws an error that names the policy and this block. */
  fail<Code extends ErrorCode>(code: Code, ...options: ErrorOptionsOf<Code, LocationFact>): never;
}

/** The block's view of its policy. */
export interface PolicyView {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly status: PolicyStatus;
  readonly roles: readonly string[];
  readonly groups: readonly PolicyGroup[];
  readonly topics: readonly PolicyTopic[];
  /** Templates of tokens that the policy's users create. */
  readonly tokenTemplates: readonly PolicyToken[];
  readonly policyTag: string;
  /** The ledger message of the policy itself. */
  readonly messageId: string;
  /** All blocks in document order: parents before children. */
  readonly blocks: readonly BlockNode[];
  /** The block with this tag, if any. */
  blockByTag(tag: string): BlockNode | undefined;
}

/**
 * Another block, seen by the same user with the same query. Every ability resolves to `undefined` if the block's type
 * lacks it.
 */
export interface BlockHandle {
  readonly block: BlockNode;
  /** `unknown` if the engine does not know the type. */
  readonly kind: BlockKind | 'unknown';
  /** Whether `enrich` may change the rows. */
  readonly enriches: boolean;
  /** Whether its parent may offer it to the user now, ignoring the parent's own ancestors. */
  availability(): Promise<Availability>;
  select(): Promise<Selection | undefined>;
  narrow(): Promise<Condition | undefined>;
  page(): Promise<Page | undefined>;
  answer(question: Json): Promise<Json | undefined>;
  /** Returns the rows unchanged if the block's type lacks the ability. */
  enrich(rows: readonly DocumentRow[]): Promise<readonly DocumentRow[]>;
}
