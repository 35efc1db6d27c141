/** Conditional requests: 304 for responses the client already has (RFC 9110, section 13.1.2). */
import { createHash } from 'node:crypto';
import type { HttpAnswer } from './http-answer.js';

/** The response with an `ETag`, its own or one of its body, or 304 if the client has sent that one. */
export function withEtag(answer: HttpAnswer, ifNoneMatch: string | undefined): HttpAnswer {
  if (answer.status !== 200 || typeof answer.body !== 'string') return answer;
  const etag = answer.headers['ETag'] ?? `"${createHash('sha256').update(answer.body).digest('base64url')}"`;
  // Cached by the client only, which must revalidate each time.
  const headers = { ...answer.headers, ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (!matches(ifNoneMatch, etag)) return { ...answer, headers };
  const { 'Content-Type': _, ...otherHeaders } = headers as Record<string, string>;
  return { status: 304, headers: otherHeaders, body: null };
}

const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
