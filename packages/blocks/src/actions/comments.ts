/** Comments on documents: lists of the texts that users enter in dialogs. */
import { valueAt, type DocumentRecord, type Json } from '@blockwork/core/block';

/** In characters; longer comments are truncated. */
export const LONGEST_COMMENT = 10_000;

export const COMMENT = 'option.comment';

/** Appends a text to the list at the path. A plain text from an older document becomes the first element. */
export function withText(document: DocumentRecord, path: string, entered: string): Json[] {
  const before = valueAt(document, path) as Json | undefined;
  return [...(Array.isArray(before) ? before : before === undefined || before === null ? [] : [before]), entered];
}

export const withComment = (document: DocumentRecord, entered: string): DocumentRecord => ({
  ...document,
  comment: entered,
  option: { ...document.option, comment: withText(document, COMMENT, entered) },
});
