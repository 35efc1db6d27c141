/** Revoked documents: their status, and why. */
import type { DocumentInput, DocumentRecord, Json } from '@blockwork/core/block';

export const REVOKED = 'Revoked';

/** The reason that the user gave last. */
export function lastComment({ option, comment }: DocumentInput | DocumentRecord): string {
  const text = option?.comment ?? comment;
  const last: unknown = Array.isArray(text) ? text.at(-1) : text;
  return typeof last === 'string' ? last : '';
}

/** The document with the status and the reason, which is appended to its comments. */
export function asRevoked(document: DocumentInput, reason: string): DocumentInput {
  const comments = withComment(document.option?.comment, reason);
  return {
    ...document,
    option: { ...document.option, status: REVOKED, ...(comments.length > 0 && { comment: comments }) },
    ...(reason !== '' && { comment: reason }),
  };
}

/** Appends the reason to earlier comments, unless it equals the last one. */
function withComment(before: Json | undefined, reason: string): Json[] {
  const comments = Array.isArray(before) ? before : before === undefined || before === null ? [] : [before];
  return reason === '' || comments.at(-1) === reason ? comments : [...comments, reason];
}
