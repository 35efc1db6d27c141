/** The block contract. Authors implement it with `defineBlock`. */
import type { z } from 'zod';
import type { BlockDefinition, BlockNode, PolicyTree } from '../policy/index.js';
import type { Condition, DocumentRecord, Json, JsonObject } from '../records/index.js';
import type { Derivation } from './derivation.js';
import type { BlockEvent, StandardInput, TICK } from './event.js';
import type { ReadContext } from './read-context.js';
import type { RunContext } from './run-context.js';
import type { DocumentRow, Page, Selection } from './selection.js';

/**
 * One object serves every block of its type in every policy, so it must hold no state; per-user state belongs in
 * `ctx.state`. All members below are optional.
 */
export interface BlockType<
  Options = unknown,
  Input = unknown,
  InputEvent extends string = string,
  Output extends string = never,
> extends BlockDefinition<Options> {
  /**
   * The block's answer depends only on its context and the clock, so it can be cached until the policy changes. Leave
   * unset if the block reads anything else.
   */
  readonly pure?: true;

  /**
   * The block's state holds only what a user is looking at, such as a page or a sort order. Runs that change nothing
   * else are not journaled.
   */
  readonly viewState?: true;

  /** Validates data sent to the block, before `receive`. Failures are `INPUT_INVALID` and list every invalid path. */
  readonly input?: z.ZodType<Input>;

  /** What the block accepts and returns with these options, if that is more specific than `input`. */
  shapes?(options: Options, place: BlockPlace): BlockShapes;

  /** Returns what the caller sees. Read-only: the context has no writers. */
  read?(ctx: ReadContext<Options>): Awaitable<Json>;

  /** Handles data sent by a caller. The return value is the answer, `{}` if there is none. */
  receive?(ctx: RunContext<Options, Output>, input: Input): Awaitable<Json | void>;

  /** Event handlers, by input. A `TickEvent` comes from the `timetable`. */
  readonly on?: EventHandlers<Options, InputEvent, Output>;

  /** Handles an event received at one of the `ports`. */
  onPort?(ctx: RunContext<Options, Output>, event: BlockEvent): Awaitable<void>;

  /** When a `TickEvent` runs the block, as the policy's owner, while the policy is running. */
  timetable?(options: Options): Timetable;

  /**
   * Handles a credential signed outside the policy, on behalf of the member it is submitted for. `document` is not
   * verified yet.
   */
  external?(ctx: RunContext<Options, Output>, input: ExternalInput): Awaitable<void>;

  /**
   * Whether `external` accepts credentials for identities that are neither members of the policy nor devices of
   * members. Default: false.
   */
  acceptsNonMembers?(options: Options): boolean;

  /** For containers: whether a child is open to the user. Default: always. */
  isOpen?(ctx: ReadContext<Options>, child: BlockNode): Awaitable<boolean>;

  /** For containers: called before a child runs for the user. */
  onChildRun?(ctx: RunContext<Options, Output>, child: BlockNode): Awaitable<void>;

  /** For blocks that show documents and for sources: the documents the user would see. */
  select?(ctx: ReadContext<Options>): Awaitable<Selection>;

  /**
   * For sources: the documents of all users together, ignoring the current user and their filters. Used only for
   * counting.
   */
  supplies?(options: Options): Condition;

  /**
   * For blocks opened from grid rows: the documents waiting for a user to act on them with this block. Used only for
   * counting.
   */
  awaits?(options: Options): Condition;

  /** The block's rows (`ctx.entries`) that are still waiting for more input. Used only for counting. */
  readonly gathers?: Condition;

  /** For filters: the condition a document must meet for this user now. */
  narrow?(ctx: ReadContext<Options>): Awaitable<Condition>;

  /** For paging addons: the user's current page. */
  page?(ctx: ReadContext<Options>): Awaitable<Page>;

  /** For addons: adds data to each document shown. */
  enrich?(ctx: ReadContext<Options>, rows: readonly DocumentRow[]): Awaitable<DocumentRow[]>;

  /** Whether `enrich` may change anything for this block. Default: true. */
  enriches?(block: BlockNode): boolean;

  /**
   * For blocks that create documents: how each field of the document is derived, recomputed from the current documents.
   * `null` if the block does not create the document with these options. Read-only.
   */
  derive?(ctx: ReadContext<Options>, document: DocumentRecord): Awaitable<Derivation | null>;

  /** For addons known only to their parent: answers the parent's question. Read-only. */
  answer?(ctx: ReadContext<Options>, question: Json): Awaitable<Json>;

  /**
   * For addons known only to their parent: does their part of the parent's run. Whatever they throw, the parent throws.
   */
  assist?(ctx: RunContext<Options, Output>, input: Json): Awaitable<Json>;
}

type Awaitable<T> = T | Promise<T>;

export type EventHandlers<Options, InputEvent extends string, Output extends string> = {
  readonly [Name in StandardInput | typeof TICK | InputEvent]?: EventHandler<Options, Output, Name>;
};

/** A method type, so that a block type with narrower options is assignable to `BlockType`. */
export type EventHandler<Options = unknown, Output extends string = never, InputEvent extends string = string> = {
  handle(ctx: RunContext<Options, Output>, event: BlockEvent<InputEvent>): Awaitable<void>;
}['handle'];

export interface ExternalInput {
  readonly document: JsonObject;
  /** The subject the document refers to: its id, or an object with an id. */
  readonly ref: Json;
}

export interface Timetable {
  /** The next time after the given one, both in milliseconds since the epoch; `null` if there is none. */
  next(after: number): number | null;
}

/** JSON Schemas (2020-12). `{"$ref": "<IRI>"}` stands for the fields of one of the policy's schemas. */
export interface BlockShapes {
  /** Data the block accepts. Default: the JSON Schema of `input`. */
  readonly takes?: JsonObject;
  /** Data the block returns. Default: any object. */
  readonly shows?: JsonObject;
}

/** A block and the policy it belongs to. */
export interface BlockPlace {
  readonly block: BlockNode;
  readonly policy: Pick<PolicyTree, 'roles' | 'groups'>;
}
