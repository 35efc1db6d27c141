/** A body that is written bit by bit, for as long as the client reads. */

export interface AnswerStream {
  /** Each is asked for when the one before it has left. Never throws: the stream ends. */
  readonly chunks: AsyncGenerator<string, void>;
  /** Ends the stream at once; nobody reads it any more. May be called again. */
  cancel(): void;
}

export const isStream = (body: string | Uint8Array | AnswerStream | null): body is AnswerStream =>
  body !== null && typeof body === 'object' && 'chunks' in body;
