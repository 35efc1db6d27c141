/** The records of a policy's trials: virtual users, savepoints and recordings. */
import type { Json, JsonObject } from './json/json.js';

/** The trials of one policy. `id` is the policy's. Savepoints and people outlive a trial, until the policy is published. */
export interface TrialRecord {
  id: string;
  /** In the order in which they were made. */
  users: VirtualUser[];
  /** The savepoint that the trial was kept as last, or went back to last. */
  savepoint: string | null;
  recording: Recording | null;
}

/** A virtual user, who exists in the trials of one policy only. */
export interface VirtualUser {
  did: string;
  name: string;
  /** ISO 8601. */
  createDate: string;
}

/** The present or last recording: each step is a record of its own. */
export interface Recording {
  startDate: string;
  /** `null` while it is active. */
  stopDate: string | null;
  steps: number;
  /** Total size of the steps, as JSON. */
  bytes: number;
  /** Whether it ended because of a limit. */
  isFull: boolean;
}

/** A trial as it was at one moment. */
export interface Savepoint {
  id: string;
  name: string;
  /** Who made it. */
  did: string;
  createDate: string;
  /** The savepoint that the trial had come from; `null` for one that began empty. */
  parent: string | null;
  /** The number of its records, and their size as JSON. */
  records: number;
  bytes: number;
  documents: number;
  recording: Recording | null;
}

/** Some of the records of a savepoint. Parts sort by `id`. */
export interface SavepointPart {
  id: string;
  savepointId: string;
  records: SavedRecord[];
}

/** `kind`: of the record. Timers come with the milliseconds that are left until they are due. */
export interface SavedRecord {
  kind: string;
  value: JsonObject & { id: string };
}

/** One recorded action of a user. `id` is that of its journal entry, so that steps sort. */
export interface RecordedStep {
  id: string;
  method: 'POST' | 'TICK';
  /** Empty for an action without a user. */
  did: string;
  tag: string;
  body: Json;
  /** Values that the sender took from the page, to be taken from there again in a replay. */
  sources: StepSource[];
  /** Tags of the blocks that failed while the rest of the run continued. */
  failed: string[];
}

/** A value from an answer: the body refers to it by `${name}`, or by `$row` for a whole row. */
export interface StepSource {
  name: string;
  /** The block that was read. */
  tag: string;
  /** How to find the row, or the value, in the answer. */
  find: { where: Record<string, Json> } | { path: string };
}
