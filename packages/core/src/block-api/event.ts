/** Events: how one block triggers another within a unit of work. */
import type { PolicyUser } from '../access/index.js';
import type { DocumentInput, Json } from '../records/index.js';

/** An event as its receiver sees it. `data` is a copy private to the receiver. */
export interface BlockEvent<Input extends string = string> {
  readonly input: Input;
  readonly output: string;
  /** Tag of the block that emitted it. */
  readonly source: string;
  /** The user the receiver runs as. */
  readonly user: PolicyUser;
  readonly data: Json;
  /** The emitter's result for the data, such as the presentation of a mint; `null` if there is none. */
  readonly result: Json;
  /**
   * Context passed along with the data to all following blocks until one replaces it, for instance the document that a
   * new version replaces; `null` if there is none.
   */
  readonly carried: Json;
}

/** Event payload: JSON or documents. */
export type EventData = Json | DocumentInput | readonly DocumentInput[];

export interface EmitOptions {
  /** The user the receivers run as. Default: the current user. */
  readonly user?: PolicyUser;
  /** The block's result for the data, for receivers that need it in addition to the data. */
  readonly result?: EventData;
  /** Replaces the carried context. Default: the incoming one is passed on. */
  readonly carried?: Json;
}

export {
  ERROR,
  FILTER_CHANGED,
  MEMBER_REMOVED,
  REFRESH,
  RELEASE,
  ROW_ACTION,
  RUN,
  type StandardInput,
  type StandardOutput,
  standardOutputs,
  TICK,
} from '../policy/index.js';
