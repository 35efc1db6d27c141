/** A streamed body, pulled while the client reads. */

export interface AnswerStream {
  /** The next chunk is requested once the previous one is sent. Never throws: on failure, the stream ends. */
  readonly chunks: AsyncGenerator<string, void>;
  /** Ends the stream when its reader is gone. Idempotent. */
  cancel(): void;
}

export const isStream = (body: string | Uint8Array | AnswerStream | null): body is AnswerStream =>
  body !== null && typeof body === 'object' && 'chunks' in body;
