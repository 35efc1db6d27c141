/** A request, as passed by a transport. */
import type { Ids } from '@blockwork/core';

/** Takes a chunk of a body; resolves with whether more is wanted. */
export type OnChunk = (chunk: Uint8Array) => boolean | Promise<boolean>;

export interface HttpRequest<Source = unknown> {
  /** The transport's own request, for a custom `authenticate`. */
  readonly source: Source;
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query without the question mark, or empty. */
  readonly query: string;
  /** The body if another parser has already read it. */
  readonly parsedBody: unknown;
  /** The value of a header. The name is in lower case. */
  header(name: string): string | undefined;
  /**
   * Passes on the chunks of the body, each after `onChunk` is done with the one before, until it answers false: the rest is then
   * discarded. Resolves at the end of the body, rejects if it is cut off.
   */
  readBody(onChunk: OnChunk): Promise<void>;
}

/** Short, and safe in a log and in a header. */
const SAFE = /^[\dA-Za-z-]{1,64}$/;

/** The client's `X-Request-Id` if it is safe, otherwise a new id. */
export function requestIdOf(request: Pick<HttpRequest, 'header'>, ids: Ids): string {
  const sent = request.header('x-request-id');
  return sent !== undefined && SAFE.test(sent) ? sent : ids.uuid();
}
