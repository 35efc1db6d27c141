/** Comments on documents: what users enter in dialogs, as lists to which each one is added. */
import { valueAt, type DocumentRecord, type Json } from '@blockwork/core/block';

/** In characters; the rest of a longer one is left out. */
export const LONGEST_COMMENT = 10_000;

export const COMMENT = 'option.comment';

/** The list of texts at the path with one more. A text of older documents becomes the first of the list. */
export function withText(document: DocumentRecord, path: string, entered: string): Json[] {
  const before = valueAt(document, path) as Json | undefined;
  return [...(Array.isArray(before) ? before : before === undefined || before === null ? [] : [before]), entered];
}

export const withComment = (document: DocumentRecord, entered: string): DocumentRecord => ({
  ...document,
  comment: entered,
  option: { ...document.option, comment: withText(document, COMMENT, entered) },
});
