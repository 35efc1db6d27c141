/** What a block can use during a run: everything it can read, plus the unit of work. */
import type { BlockNode } from '../policy/index.js';
import type { Ids } from '../ports/index.js';
import type { Json, JsonObject } from '../records/index.js';
import type { EntryWriter, StateWriter } from './block-memory.js';
import type { CredentialIssuer } from './credential-access.js';
import type { EmitOptions, EventData, StandardOutput } from './event.js';
import type { LedgerWriter } from './ledger-access.js';
import type { NotificationSender } from './notification-access.js';
import type { DocumentWriter, MembershipWriter } from './policy-access.js';
import type { ReadContext } from './read-context.js';
import type { SecretReader } from './secret-access.js';
import type { StreamAccess } from './stream-access.js';
import type { WorkBudget } from './work-budget.js';

/**
 * `Output`: the outputs the block declares in addition to the standard ones. A function that emits none of them can
 * accept a plain `RunContext`.
 */
export interface RunContext<Options = unknown, Output extends string = never> extends ReadContext<Options> {
  readonly state: StateWriter;
  readonly documents: DocumentWriter;
  readonly memberships: MembershipWriter;
  readonly entries: EntryWriter;
  readonly ledger: LedgerWriter;
  readonly credentials: CredentialIssuer;
  readonly notifications: NotificationSender;
  readonly secrets: SecretReader;
  readonly streams: StreamAccess;
  readonly ids: Ids;
  /** To be asked by every loop over data from outside. */
  readonly budget: WorkBudget;
  /** W3C trace context of the run's cause, to pass on to services; `undefined` if there is none. */
  readonly traceparent: string | undefined;
  /**
   * Sends `data` along every link of this output; each receiver gets its own copy. Receivers run after this block has
   * finished, in FIFO order, in the same unit of work. `OUTPUT_UNDECLARED` if the block's type does not declare the
   * output. A function-typed property, so that the compiler compares outputs strictly.
   */
  readonly emit: (output: StandardOutput | Output, data?: EventData, options?: EmitOptions) => void;
  /** Sends an event directly to one block of the policy, without a link. */
  raise(target: BlockNode, input: string, data?: EventData, options?: Pick<EmitOptions, 'user'>): void;
  /** Has a child do its part, for the same user; `undefined` if its type lacks the ability. */
  assist(child: BlockNode, input: Json): Promise<Json | undefined>;
  /**
   * Memoizes an external effect, such as a service call. If the block re-runs because another node committed first, the
   * nth call with the same `key` returns its earlier result and `work` is not repeated. Failures are not memoized.
   */
  once<T extends Json>(key: string, work: () => Promise<T>): Promise<T>;
  /** Writes a warning to the policy's journal: something could not be computed, and the run continues. */
  warn(message: string, facts?: JsonObject): void;
}
