/** What can be undone, and redone: ids of edits, the next one last. */

export interface UndoStacks {
  readonly done: readonly string[];
  /** Edits that undid others: to undo one of these is to redo. */
  readonly undone: readonly string[];
}

interface Edit {
  readonly id: string;
  readonly undoes?: string | undefined;
}

export const noUndo: UndoStacks = { done: [], undone: [] };

export function afterEdit({ done, undone }: UndoStacks, { id, undoes }: Edit): UndoStacks {
  if (undoes === undefined) return { done: [...done, id], undone: [] };
  if (undone.includes(undoes)) return { done: [...done, id], undone: undone.filter((each) => each !== undoes) };
  return { done: done.filter((each) => each !== undoes), undone: [...undone, id] };
}

/** From the edits of one author, newest first. */
export const stacksOf = (edits: readonly Edit[]): UndoStacks => edits.toReversed().reduce(afterEdit, noUndo);
