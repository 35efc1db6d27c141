/** Options of everything that reads or sends data. */
import { demandOptions } from '../options/index.js';

/** Of what sends. */
export interface SendOptions {
  /**
   * Chosen by the sender, for instance a UUID: 1 to 200 visible ASCII characters. A send that is repeated with the key of
   * one that was carried out changes nothing and gets the same answer, on any node, for as long as the limits say.
   */
  readonly idempotencyKey?: string | undefined;
  /** The `traceparent` (W3C Trace Context) of what causes the send: what leaves because of it carries it. Ignored if it is not valid. */
  readonly traceparent?: string | undefined;
}

/** Parameters of one read, as text. */
export type Query = Readonly<Record<string, string>>;

/** Of what reads. */
export type ReadOptions = Pick<SendOptions, 'traceparent'>;

/** Throws `INPUT_INVALID`, with the name of the method, for what is neither absent nor an object. */
export function demandReading(method: string, query: Query | undefined, options: ReadOptions | undefined): void {
  demandOptions(query, method, 'query');
  demandOptions(options, method, 'options');
}
