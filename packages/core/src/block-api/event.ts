/** Events: how one block makes another run, within one unit of work. */
import type { PolicyUser } from '../access/index.js';
import type { DocumentInput, Json } from '../records/index.js';

/** An event as its receiver sees it. `data` is the receiver's own copy. */
export interface BlockEvent<Input extends string = string> {
  readonly input: Input;
  readonly output: string;
  /** Tag of the block that emitted it. */
  readonly source: string;
  /** In whose name the receiver runs. */
  readonly user: PolicyUser;
  readonly data: Json;
  /** What the emitter made of the data, such as the presentation of a mint; `null` where it made nothing. */
  readonly result: Json;
  /**
   * What rides along beside the data through every block that follows, until one replaces it; `null` where there is nothing:
   * for instance which document a new version replaces.
   */
  readonly carried: Json;
}

/** What events carry: JSON, or documents. */
export type EventData = Json | DocumentInput | readonly DocumentInput[];

export interface EmitOptions {
  /** In whose name the receivers run; the current user when absent. */
  readonly user?: PolicyUser;
  /** What the block made of the data, for receivers that want it beside the data. */
  readonly result?: EventData;
  /** Replaces what rides along; absent, what came in rides on. */
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
