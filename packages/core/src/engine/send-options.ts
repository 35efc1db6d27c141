/** Options of everything that sends data. */
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

/** Options of everything that reads. */
export type ReadOptions = Pick<SendOptions, 'traceparent'>;
