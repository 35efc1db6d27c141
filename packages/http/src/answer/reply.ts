/** Turns replies of handlers into answers. */
import type { FileType } from '@blockwork/contract/file-types';
import type { AnswerStream } from './event-stream.js';
import { fileHeaders, jsonHeaders, streamHeaders } from './http-answer.js';
import type { HttpAnswer } from './http-answer.js';

export interface Reply {
  readonly status: number;
  /** A JSON value. */
  readonly body?: unknown;
  /** The body as JSON text; replaces `body`. */
  readonly text?: string;
  /** A file to be saved under a name; replaces `body`. */
  readonly file?: { readonly name: string; readonly type: FileType; readonly content: Uint8Array };
  /** Replaces the body. */
  readonly stream?: AnswerStream;
  /** The revision of what was read or changed. */
  readonly revision?: number;
  /** For lists: the number of items before paging. */
  readonly total?: number;
}

export function answerOf({ status, body, text, total, revision, file, stream }: Reply, requestId: string): HttpAnswer {
  if (stream !== undefined) return { status, headers: streamHeaders(requestId), body: stream };
  if (file !== undefined) return { status, headers: fileHeaders(file.name, file.type, requestId), body: file.content };
  const headers = jsonHeaders(requestId);
  if (total !== undefined) headers['X-Total-Count'] = String(total);
  if (revision !== undefined) headers['ETag'] = `"${String(revision)}"`;
  return { status, headers, body: text ?? JSON.stringify(body) };
}
