/** Options common to reads and sends. */
import { demandOptions } from '../options/index.js';

/** Options of sends. */
export interface SendOptions {
  /**
   * Chosen by the sender, for instance a UUID: 1 to 200 visible ASCII characters. Repeating a send with the key of a
   * completed one changes nothing and returns the same answer, on any node, for as long as the limits specify.
   */
  readonly idempotencyKey?: string | undefined;
  /** The `traceparent` (W3C Trace Context) of the send's cause, propagated to outgoing calls. Ignored if invalid. */
  readonly traceparent?: string | undefined;
}

/** Parameters of one read, as text. */
export type Query = Readonly<Record<string, string>>;

/** Options of reads. */
export type ReadOptions = Pick<SendOptions, 'traceparent'>;

/** Throws `INPUT_INVALID` naming the method, unless the argument is absent or an object. */
export function assertReadArguments(method: string, query: Query | undefined, options: ReadOptions | undefined): void {
  demandOptions(query, method, 'query');
  demandOptions(options, method, 'options');
}
