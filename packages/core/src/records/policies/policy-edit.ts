/** One edit in the history of a draft. */
import type { EditOperation } from '@blockwork/contract/edit-operations';

export interface PolicyEdit {
  /** The revision of the definition after the edit, in twelve digits: edits sort by it. */
  id: string;
  /** The revision before it. */
  base: string;
  /** The last revision with the same definition, where a trial or another change of status came after the edit. */
  until?: string;
  at: string;
  /** The author. */
  did: string;
  operations: EditOperation[];
  /** The operations that undo it. */
  inverse: EditOperation[];
  /** The places that it changed. */
  writes: string[];
  /** The edit that it undoes. */
  undoes?: string;
  /** Hash of the author and the idempotency key. */
  key?: string;
  /** Hash of what was asked for under the key. */
  request?: string;
  /** Number of edits up to this one; the history is cut by it, and by the sizes. */
  count: number;
  /** Size as JSON, and that of all edits up to this one. */
  bytes: number;
  total: number;
}
