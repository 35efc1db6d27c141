/** What one operation did. */
import type { EditOperation } from '@blockwork/contract/edit-operations';

export interface Applied<Operation extends EditOperation = EditOperation> {
  /** Completed: with the ids of blocks instead of tags, with positions, and with whole blocks. */
  readonly operation: Operation;
  /** Undoes it. */
  readonly inverse: EditOperation;
  /** Pointers to the places that it changed, such as `/blocks/<id>/options/title`. */
  readonly writes: readonly string[];
  /** Pointers to what it relies on. */
  readonly reads: readonly string[];
}

export type OperationOf<Op extends EditOperation['op']> = Extract<EditOperation, { op: Op }>;
