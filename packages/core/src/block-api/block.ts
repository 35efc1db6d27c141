/** The block contract: what a block type is, for those who write one. */
import type { z } from 'zod';
import type { BlockDefinition } from '../policy/index.js';
import type { BlockNode } from '../policy/index.js';
import type { Condition, Json, JsonObject } from '../records/index.js';
import type { ReadContext, RunContext } from './context.js';
import type { BlockEvent } from './event.js';
import type { DocumentRow, Page, Selection } from './selection.js';

/**
 * One object serves every block of its type in every policy, so it must not keep anything: what a block
 * remembers is in `ctx.state`, per user. All members below are optional abilities.
 */
export interface Block<Options = unknown, Input = unknown> extends BlockDefinition<Options> {
  /**
   * Says that what the block shows depends on nothing but what its context gives, the clock aside: then an
   * answer can be kept until the policy changes. All interface blocks say so.
   */
  readonly pure?: true;

  /** Validates data sent to the block, before `receive`. A failure is `INPUT_INVALID` with every place in it. */
  readonly input?: z.ZodType<Input>;

  /** What a caller sees. Writes nothing: its context cannot. */
  read?(ctx: ReadContext<Options>): Promise<Json>;

  /** Takes data from a caller. What it returns is the answer; without a result the answer is `{}`. */
  receive?(ctx: RunContext<Options>, input: Input): Promise<Json | void>;

  /** For addons known only to their parent: what they say to its question. Writes nothing. */
  answer?(ctx: ReadContext<Options>, question: Json): Promise<Json>;

  /** For addons known only to their parent: what they do for it during a run. What they throw, their parent fails with. */
  assist?(ctx: RunContext<Options>, input: Json): Promise<Json>;

  /**
   * Takes a credential that comes from outside of the policy's users, in the name of the identity that it is handed in
   * for; `document` is not yet checked.
   */
  external?(ctx: RunContext<Options>, input: ExternalInput): Promise<void>;

  /** When the block is to be woken with a `TickEvent`, in the name of the policy's owner, while its policy runs. */
  timetable?(options: Options): Timetable;

  /** What to do when an event comes in, by input name. */
  readonly on?: Readonly<Record<string, EventHandler<Options>>>;

  /** For blocks that hold others: whether a child is open to the user. Always, when absent. */
  isOpen?(ctx: ReadContext<Options>, child: BlockNode): Promise<boolean>;

  /** For blocks that hold others: a child is about to run for the user. */
  onChildRun?(ctx: RunContext<Options>, child: BlockNode): Promise<void>;

  /** For blocks that show documents, and addons that supply them: which ones the user would see. */
  select?(ctx: ReadContext<Options>): Promise<Selection>;

  /** For filters: what a document must meet for this user now. */
  narrow?(ctx: ReadContext<Options>): Promise<Condition>;

  /** For paging addons: which page the user is on now. */
  page?(ctx: ReadContext<Options>): Promise<Page>;

  /** For addons that add to each document shown. */
  enrich?(ctx: ReadContext<Options>, rows: readonly DocumentRow[]): Promise<DocumentRow[]>;
}

export interface ExternalInput {
  readonly document: JsonObject;
  /** What the document refers to: a subject's id, or an object with one. */
  readonly ref: Json;
}

export interface Timetable {
  /** The first moment after this one, both in milliseconds since 1970; `null` when there is none. */
  next(after: number): number | null;
}

export type EventHandler<Options = unknown> = {
  // A method type, so that a block with narrower options can stand where any block is expected.
  handle(ctx: RunContext<Options>, event: BlockEvent): Promise<void>;
}['handle'];

/** How block types are registered: as a class without constructor arguments, or as an object. */
export type BlockType = Block | (new () => Block);
