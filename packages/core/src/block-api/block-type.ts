/** The block contract: what the blocks of one type do. Authors write it with `defineBlock`. */
import type { z } from 'zod';
import type { BlockDefinition, BlockNode } from '../policy/index.js';
import type { Condition, DocumentRecord, Json, JsonObject } from '../records/index.js';
import type { BlockPlace, BlockShapes } from './block-shapes.js';
import type { Derivation } from './derivation.js';
import type { BlockEvent, StandardInput, TICK } from './event.js';
import type { ReadContext } from './read-context.js';
import type { RunContext } from './run-context.js';
import type { DocumentRow, Page, Selection } from './selection.js';

/**
 * One object serves every block of its type in every policy, so it keeps nothing: what a block remembers is in `ctx.state`,
 * per user. All members below are optional abilities.
 */
export interface BlockType<
  Options = unknown,
  Input = unknown,
  InputEvent extends string = string,
  Output extends string = never,
> extends BlockDefinition<Options> {
  /**
   * What the block shows depends on nothing but its context, the clock aside, so that an answer can be kept until the
   * policy changes. A block that reads anything else must not say so.
   */
  readonly pure?: true;

  /**
   * What the block remembers of a user is only what they look at, such as a page or an order: a run that changes nothing
   * else is not written into the policy's journal.
   */
  readonly viewState?: true;

  /** Validates data sent to the block, before `receive`. A failure is `INPUT_INVALID` with every place in it. */
  readonly input?: z.ZodType<Input>;

  /** What the block takes and shows with these options, where more can be said than `input` says. */
  shapes?(options: Options, place: BlockPlace): BlockShapes;

  /** What a caller sees. Writes nothing: its context cannot. */
  read?(ctx: ReadContext<Options>): Awaitable<Json>;

  /** Takes data from a caller. What it returns is the answer; without a result the answer is `{}`. */
  receive?(ctx: RunContext<Options, Output>, input: Input): Awaitable<Json | void>;

  /** What to do when an event comes in, by input. A `TickEvent` comes from the `timetable`. */
  readonly on?: EventHandlers<Options, InputEvent, Output>;

  /** What to do when an event comes in at one of the `ports`. */
  onPort?(ctx: RunContext<Options, Output>, event: BlockEvent): Awaitable<void>;

  /** When a `TickEvent` wakes the block, in the name of the policy's owner, while its policy runs. */
  timetable?(options: Options): Timetable;

  /**
   * Takes a credential that was signed outside, in the name of the member that it is handed in for. `document` is not yet
   * verified.
   */
  external?(ctx: RunContext<Options, Output>, input: ExternalInput): Awaitable<void>;

  /**
   * Whether `external` takes credentials for identities that are not members of the policy, nor devices of members. Never,
   * when absent.
   */
  acceptsNonMembers?(options: Options): boolean;

  /** For blocks that hold others: whether a child is open to the user. Always, when absent. */
  isOpen?(ctx: ReadContext<Options>, child: BlockNode): Awaitable<boolean>;

  /** For blocks that hold others: a child is about to run for the user. */
  onChildRun?(ctx: RunContext<Options, Output>, child: BlockNode): Awaitable<void>;

  /** For blocks that show documents, and sources that supply them: which ones the user would see. */
  select?(ctx: ReadContext<Options>): Awaitable<Selection>;

  /**
   * For sources: the documents that it has for all users together, whoever looks and whatever they filter by. Only counted.
   */
  supplies?(options: Options): Condition;

  /** For blocks on the rows of a grid: the documents that wait for somebody to act on them with this block. Only counted. */
  awaits?(options: Options): Condition;

  /** The rows of the block (`ctx.entries`) that wait for more to come. Only counted. */
  readonly gathers?: Condition;

  /** For filters: what a document must meet for this user now. */
  narrow?(ctx: ReadContext<Options>): Awaitable<Condition>;

  /** For paging addons: which page the user is on now. */
  page?(ctx: ReadContext<Options>): Awaitable<Page>;

  /** For addons that add to each document shown. */
  enrich?(ctx: ReadContext<Options>, rows: readonly DocumentRow[]): Awaitable<DocumentRow[]>;

  /** Whether `enrich` may change anything at this block. Yes, when absent. */
  enriches?(block: BlockNode): boolean;

  /**
   * For blocks that make documents: how the fields of this one come about, worked out again from the documents of now. `null` for
   * a document that the block does not make with these options. Writes nothing.
   */
  derive?(ctx: ReadContext<Options>, document: DocumentRecord): Awaitable<Derivation | null>;

  /** For addons known only to their parent: the answer to its question. Writes nothing. */
  answer?(ctx: ReadContext<Options>, question: Json): Awaitable<Json>;

  /** For addons known only to their parent: their part of its run. The parent fails with what they throw. */
  assist?(ctx: RunContext<Options, Output>, input: Json): Awaitable<Json>;
}

type Awaitable<T> = T | Promise<T>;

export type EventHandlers<Options, InputEvent extends string, Output extends string> = {
  readonly [Name in StandardInput | typeof TICK | InputEvent]?: EventHandler<Options, Output, Name>;
};

/** A method type, so that a block type with narrower options can stand where any block type is expected. */
export type EventHandler<Options = unknown, Output extends string = never, InputEvent extends string = string> = {
  handle(ctx: RunContext<Options, Output>, event: BlockEvent<InputEvent>): Awaitable<void>;
}['handle'];

export interface ExternalInput {
  readonly document: JsonObject;
  /** What the document refers to: a subject's id, or an object with one. */
  readonly ref: Json;
}

export interface Timetable {
  /** The first moment after this one, both in milliseconds since 1970; `null` when there is none. */
  next(after: number): number | null;
}
