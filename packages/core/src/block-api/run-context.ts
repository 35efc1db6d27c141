/** What a block works with during a run: everything that it can read, and its part of the unit of work. */
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

/**
 * `Output`: the outputs that the block declares, besides those that every block has. A function that emits none of them
 * takes a plain `RunContext`.
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
  /** W3C trace context of what caused the run, for calls of services; `undefined` if it has none. */
  readonly traceparent: string | undefined;
  /**
   * Sends `data` along every link of this output, each receiver getting its own copy. Receivers run after this block has
   * finished, first in first out, in the same unit of work. `OUTPUT_UNDECLARED` for an output that the block's type does
   * not declare. A function-typed property, so that the compiler compares outputs strictly.
   */
  readonly emit: (output: StandardOutput | Output, data?: EventData, options?: EmitOptions) => void;
  /** Sends an event to one block of the policy, along no link. */
  raise(target: BlockNode, input: string, data?: EventData, options?: Pick<EmitOptions, 'user'>): void;
  /** Lets a child do its part, for the same user; `undefined` where its type lacks the ability. */
  assist(child: BlockNode, input: Json): Promise<Json | undefined>;
  /**
   * Does something outside of the policy, such as a call of a service. Where another node was faster the block runs again,
   * and the n-th call with the same `key` gets the result that it had before: `work` is not repeated. Failures are not kept.
   */
  once<T extends Json>(key: string, work: () => Promise<T>): Promise<T>;
  /** Writes a warning into the policy's journal: something could not be worked out, and the run continues. */
  warn(message: string, facts?: JsonObject): void;
}
