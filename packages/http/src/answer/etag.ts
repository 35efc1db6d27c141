/** Answers that a client has already (RFC 9110, section 13.1.2). */
import { createHash } from 'node:crypto';
import type { HttpAnswer } from './http-answer.js';

/** The answer with an `ETag`, or 304 if the client named the same one. */
export function withEtag(answer: HttpAnswer, ifNoneMatch: string | undefined): HttpAnswer {
  if (answer.status !== 200 || typeof answer.body !== 'string') return answer;
  const etag = `"${createHash('sha256').update(answer.body).digest('base64url')}"`;
  // Kept by the client only, which asks each time whether it is still right.
  const headers = { ...answer.headers, ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (!matches(ifNoneMatch, etag)) return { ...answer, headers };
  const { 'Content-Type': _, ...kept } = headers as Record<string, string>;
  return { status: 304, headers: kept, body: null };
}

const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
