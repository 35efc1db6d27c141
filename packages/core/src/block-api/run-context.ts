/** What a block can use during a run: everything it can read, plus the unit of work. */
import type { BlockNode } from '../policy/index.js';
import type { Ids } from '../ports/index.js';
import type { DocumentInput, Json, JsonObject, NotificationType, StreamDocumentType } from '../records/index.js';
import type { EntryWriter, StateWriter } from './block-memory.js';
import type { CredentialIssuer } from './credential-access.js';
import type { EmitOptions, EventData, StandardOutput } from './event.js';
import type { LedgerWriter } from './ledger-access.js';
import type { DocumentWriter, MembershipWriter } from './policy-access.js';
import type { ReadContext } from './read-context.js';

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
   *
   * @example
   * for (const certificate of await ctx.documents.find({ path: 'type', op: 'eq', value: 'certificate' })) {
   *   ctx.emit('IssuedEvent', certificate, { user: await ctx.users.as(certificate.owner) });
   * }
   */
  readonly emit: (output: StandardOutput | Output, data?: EventData, options?: EmitOptions) => void;
  /**
   * Sends an event directly to one block of the policy, without a link.
   *
   * @example
   * const grid = ctx.policy.blockByTag('certificates');
   * if (grid !== undefined) ctx.raise(grid, 'RefreshEvent');
   */
  raise(target: BlockNode, input: string, data?: EventData, options?: Pick<EmitOptions, 'user'>): void;
  /**
   * Has a child do its part, for the same user; `undefined` if its type lacks the ability.
   *
   * @example const calculated = await Promise.all(ctx.children.map(({ block }) => ctx.assist(block, { ...reading })));
   */
  assist(child: BlockNode, input: Json): Promise<Json | undefined>;
  /**
   * Memoizes an external effect, such as a service call. If the block re-runs because another node committed first, the
   * nth call with the same `key` returns its earlier result and `work` is not repeated. Failures are not memoized.
   *
   * @example
   * const authorization = await ctx.secrets.get('GRID_OPERATOR');
   * const factor = await ctx.once('factor', () => gridFactor('north', { authorization }));
   */
  once<T extends Json>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Writes a warning to the policy's journal: something could not be computed, and the run continues.
   *
   * @example if (reading.kWh === 0) ctx.warn('The meter measured nothing.', { meter: reading.meter });
   */
  warn(message: string, facts?: JsonObject): void;
}

/** Using secrets in a block. */

export interface SecretReader {
  /**
   * The value of a secret referenced in the options, for immediate use only: it must not reach a document, event,
   * answer or error. Throws `SECRET_UNKNOWN`.
   *
   * @example
   * const authorization = `Bearer ${await ctx.secrets.get('GRID_OPERATOR')}`;
   * const factor = await ctx.once('factor', () => gridFactor('north', { authorization }));
   */
  get(name: string): Promise<string>;
}

/** The budget of a unit of work, for every loop over data from outside. */

export interface WorkBudget {
  /**
   * To be awaited in every round of a loop over data from outside: lets the rest of the process run if the unit has run for
   * 10 ms on end. Throws `RUN_TOO_LONG` when the time of the run is up, and `RUN_ENDED` after its end.
   *
   * @example
   * let total = 0;
   * for (const { kWh } of readings) {
   *   await ctx.budget.giveWay();
   *   total += kWh;
   * }
   */
  giveWay(): Promise<void>;
  /**
   * Announces documents that are about to be made, so that too many are refused before the first one. What
   * `ctx.credentials` makes counts by itself. Throws `DOCUMENTS_TOO_MANY`.
   *
   * @example
   * ctx.budget.expectDocuments(readings.length);
   * for (const { meter, kWh } of readings) {
   *   await ctx.documents.add({ owner: ctx.user.did, type: 'reading', document: { meter, kWh } });
   * }
   */
  expectDocuments(count: number): void;
}

export interface NotificationInput {
  /** Truncated to 200 characters. */
  readonly title: string;
  /** Truncated to 10,000 characters. */
  readonly message: string;
  /** Default: `INFO`. */
  readonly type?: NotificationType;
  /** Whether opening the notification opens the policy. Default: false. */
  readonly opensPolicy?: boolean;
}

export interface NotificationSender {
  /**
   * Adds a notification to the inbox of each recipient, once, as part of the unit of work.
   *
   * @example
   * const verifiers = (await ctx.memberships.all()).filter(({ role }) => role === 'Verifier').map(({ did }) => did);
   * await ctx.notifications.send(verifiers, { title: 'Report', message: 'A report awaits you.', opensPolicy: true });
   */
  send(recipients: Iterable<string>, notification: NotificationInput): Promise<void>;
}

export interface StreamAnnouncement {
  readonly stream: string;
  readonly documentType: StreamDocumentType;
  /** A published document, with `messageId` and `hash`. */
  readonly document: DocumentInput;
}

export interface StreamRange {
  /** The last position seen, by source. Sources not listed are read from the beginning. */
  readonly after: Readonly<Record<string, string>>;
  readonly limit: number;
}

export interface ReceivedEvent {
  /** The source the position refers to: a policy id, or one name for all peers together. */
  readonly source: string;
  readonly position: string;
  readonly documentType: StreamDocumentType;
  /** The peer that sent it; empty for policies of this instance. */
  readonly instance: string;
  readonly policyId: string;
  readonly topicId: string;
  readonly messageId: string;
  readonly schema: string;
  readonly owner: string;
  /** `null` if it was revoked or changed since, or its proof is invalid. */
  readonly document: JsonObject | null;
}

export interface StreamAccess {
  /**
   * The events after the range's positions, oldest first, from other policies of the same owner and from peers that
   * share the stream. A published policy receives no events of dry runs.
   *
   * @example
   * const after = (await ctx.state.get(z.record(z.string(), z.string()))) ?? {};
   * const events = await ctx.streams.events('certificates', { after, limit: 100 });
   * const positions = Object.fromEntries(events.map(({ source, position }) => [source, position]));
   * await ctx.state.set({ ...after, ...positions });
   */
  events(stream: string, range: StreamRange): Promise<ReceivedEvent[]>;
  /**
   * Publishes a document to the stream as part of the unit of work: to policies of the same owner, and, from a
   * published policy, to peers that share the stream. Resolves to the names of peers whose size limit it exceeds.
   *
   * @example
   * const tooLargeFor = await ctx.streams.announce({
   *   stream: 'certificates',
   *   documentType: 'vc',
   *   document: certificate,
   * });
   * if (tooLargeFor.length > 0) ctx.warn('Some peers do not get the certificate.', { peers: [...tooLargeFor] });
   */
  announce(announcement: StreamAnnouncement): Promise<readonly string[]>;
}
