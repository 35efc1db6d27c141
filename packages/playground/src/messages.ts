/** What the page and the worker with the engine say to each other. Each request has a port of its own. */

/** From the page, with the port. */
export interface RequestMessage {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer | null;
}

/** From the worker, on the port: the head, then the parts of the body, then the end. */
export type AnswerMessage =
  | { readonly type: 'head'; readonly status: number; readonly headers: readonly (readonly [string, string])[] }
  | { readonly type: 'part'; readonly bytes: Uint8Array }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly reason: string };

/** From the page, on the port, when nobody reads the rest. */
export interface CancelMessage {
  readonly type: 'cancel';
}
