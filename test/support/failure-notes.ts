/** What to print beside the error of a failed test: what a page showed at that moment, for one. */

export type FailureNote = () => Promise<string>;

const notes = new Set<FailureNote>();

/** Returns what takes the note away again. */
export function addFailureNote(note: FailureNote): () => void {
  notes.add(note);
  return () => notes.delete(note);
}

export async function printFailureNotes(): Promise<void> {
  for (const note of notes) console.error(await note());
}
