/** A request, as a transport hands it over. */

export interface HttpRequest<Source = unknown> {
  /** The request of the transport, for an `authenticate` of the program. */
  readonly source: Source;
  readonly method: string;
  /** As sent: percent-escapes are not decoded, and there is no query. */
  readonly path: string;
  /** What follows the question mark; empty if there is none. */
  readonly query: string;
  /** What another body parser has read; `undefined` if none has. */
  readonly parsedBody: unknown;
  /** The value of a header. The name is in lower case. */
  header(name: string): string | undefined;
  /**
   * Passes on the chunks of the body, until `onChunk` returns false: the rest is then discarded. Resolves at the end of
   * the body, rejects if it is cut off.
   */
  readBody(onChunk: (chunk: Uint8Array) => boolean): Promise<void>;
}
