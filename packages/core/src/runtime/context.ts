/** What a block is given to work with: everything it may use, and nothing global. */
import type { z } from 'zod';
import type { Availability, PolicyUser } from '../access/index.js';
import type { ErrorCode, ErrorOptions } from '../errors.js';
import type { BlockKind, BlockNode } from '../policy/index.js';
import type { Clock, Ids } from '../ports/index.js';
import type {
  Condition,
  DocumentInput,
  DocumentRecord,
  Json,
  Membership,
  PolicyGroup,
  PolicyStatus,
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
  readonly parent: Neighbour | null;
  /** In the order of the policy. */
  readonly children: readonly Neighbour[];
  /** Any other block of the policy. */
  neighbour(block: BlockNode): Neighbour;
  readonly state: StateReader;
  readonly documents: DocumentReader;
  readonly memberships: MembershipReader;
  readonly clock: Clock;
  /** Throws an error that names the policy and this block. */
  fail(code: ErrorCode, options?: ErrorOptions): never;
}

export interface RunContext<Options = unknown> extends ReadContext<Options> {
  readonly state: StateWriter;
  readonly documents: DocumentWriter;
  readonly memberships: MembershipWriter;
  readonly ids: Ids;
  /**
   * Sends `data` along every link of this output, each receiver getting its own copy. Receivers run after this
   * block has finished, first in first out, in the same unit of work; `user` is in whose name, the current user
   * when absent.
   */
  emit(output: string, data?: Json, user?: PolicyUser): void;
  /** Sends an event to one block of the policy, along no link. */
  raise(target: BlockNode, input: string, data?: Json): void;
}

/** What blocks may know of their policy. */
export interface PolicyView {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly status: PolicyStatus;
  readonly roles: readonly string[];
  readonly groups: readonly PolicyGroup[];
  /** The block with this tag, if there is one. */
  blockByTag(tag: string): BlockNode | undefined;
}

/** A block next to this one, as seen for the same user and query. */
export interface Neighbour {
  readonly block: BlockNode;
  /** `unknown` where the engine does not know the type. */
  readonly kind: BlockKind | 'unknown';
  /** Whether its parent may offer it to the user now, leaving the parent's own ancestors aside. */
  availability(): Promise<Availability>;
  /** The abilities of the block contract; `undefined` where its type lacks them. */
  select(): Promise<Selection | undefined>;
  narrow(): Promise<Condition | undefined>;
  page(): Promise<Page | undefined>;
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
  history(document: DocumentRecord): Promise<{ option: DocumentRecord['option']; created: string }[]>;
}

export interface DocumentWriter extends DocumentReader {
  /** Adds a document; what is missing is filled in. `DOCUMENT_EXISTS` when its id is taken. */
  add(document: DocumentInput): Promise<DocumentRecord>;
  /** Changes a stored document. A changed `option` is remembered in its history. */
  update(document: DocumentRecord): Promise<DocumentRecord>;
}

export interface MembershipReader {
  /** All of the current user, in the order in which they were taken. */
  mine(): Promise<Membership[]>;
  /** All members of a group of this policy. */
  inGroup(uuid: string): Promise<Membership[]>;
}

export interface MembershipWriter extends MembershipReader {
  /**
   * The current user takes a role of the policy directly. `ROLE_TAKEN` when they hold it already. Becomes
   * active unless another membership is. Returns the user as a member of what they took.
   */
  takeRole(role: string): Promise<PolicyUser>;
  /** The current user founds or joins a group by its template; `label` names a group of their own. Otherwise as `takeRole`. */
  enterGroup(group: PolicyGroup, label?: string): Promise<PolicyUser>;
}
