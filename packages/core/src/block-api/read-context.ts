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
  /**
   * Any other block of the policy.
   *
   * @example
   * const form = ctx.policy.blockByTag('report_form');
   * const selection = form === undefined ? undefined : await ctx.blockHandle(form).select();
   */
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
   *
   * @example
   * const row = await ctx.offered(documentId);
   * if (row === undefined) ctx.fail('INPUT_INVALID', { facts: { reason: 'The document is not in your grid.' } });
   */
  offered(documentId: string): Promise<DocumentRow | undefined>;
  /**
   * The rows of a selection, for display only, with the members clients expect. They may be frozen and shared with
   * other readers.
   *
   * @example
   * const size = await ctx.documents.count(selection);
   * return { size, rows: await ctx.shownRows(selection, { offset: 0, limit: 10 }) };
   */
  shownRows(selection: Selection, range?: DocumentRange): Promise<readonly DocumentRow[]>;
  readonly clock: Clock;
  /**
   * Throws an error that names the policy and this block.
   *
   * @example
   * const reason = `The meter measures at most ${ctx.options.capacity} kWh.`;
   * if (reading.kWh > ctx.options.capacity) ctx.fail('INPUT_INVALID', { facts: { reason } });
   */
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
  /**
   * The block with this tag, if any.
   *
   * @example
   * const form = ctx.policy.blockByTag('report_form');
   * const title = form?.uiMetaData['title'] ?? 'Report';
   */
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
  /**
   * Whether its parent may offer it to the user now, ignoring the parent's own ancestors.
   *
   * @example
   * const tabs = await Promise.all(ctx.children.map(async (child) => ({ child, ...(await child.availability()) })));
   * const firstOpen = tabs.find(({ outcome }) => outcome === 'allowed')?.child.block.tag;
   */
  availability(): Promise<Availability>;
  /**
   * The documents that the block shows the user.
   *
   * @example
   * const selection = await ctx.parent?.select();
   * const size = selection === undefined ? 0 : await ctx.documents.count(selection);
   */
  select(): Promise<Selection | undefined>;
  /**
   * The condition that a filter sets for the user now.
   *
   * @example
   * const conditions = await Promise.all(ctx.children.map((filter) => filter.narrow()));
   * const where = allOf(...conditions.filter((condition) => condition !== undefined));
   */
  narrow(): Promise<Condition | undefined>;
  /**
   * The page of a paging addon that the user has open.
   *
   * @example
   * const pages = await Promise.all(ctx.children.map((addon) => addon.page()));
   * const { page, itemsPerPage } = pages.find((each) => each !== undefined) ?? { page: 0, itemsPerPage: 10 };
   */
  page(): Promise<Page | undefined>;
  /**
   * Asks an addon what only its parent may ask.
   *
   * @example
   * const [factors] = ctx.children;
   * const factor = await factors?.answer({ region: 'north', year: 2026 });
   */
  answer(question: Json): Promise<Json | undefined>;
  /**
   * Returns the rows unchanged if the block's type lacks the ability.
   *
   * @example
   * let rows: readonly DocumentRow[] = await ctx.documents.rows(selection, { limit: 10 });
   * for (const addon of ctx.children.filter(({ enriches }) => enriches)) rows = await addon.enrich(rows);
   */
  enrich(rows: readonly DocumentRow[]): Promise<readonly DocumentRow[]>;
}
