/** Turns replies of handlers into answers. */
import { jsonHeaders } from './http-answer.js';
import type { HttpAnswer } from './http-answer.js';

export interface Reply {
  readonly status: number;
  /** A JSON value. */
  readonly body?: unknown;
  /** The body as JSON text; replaces `body`. */
  readonly text?: string;
  /** For lists: the number of items before paging. */
  readonly total?: number;
}

export function answerOf({ status, body, text, total }: Reply, requestId: string): HttpAnswer {
  const headers = jsonHeaders(requestId);
  if (total !== undefined) headers['X-Total-Count'] = String(total);
  return { status, headers, body: text ?? JSON.stringify(body) };
}
