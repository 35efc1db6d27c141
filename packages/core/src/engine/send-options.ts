/** Options of everything that sends data. */
export interface SendOptions {
  /**
   * Chosen by the sender, for instance a UUID: 1 to 200 visible ASCII characters. A send that is repeated with the key of
   * one that was carried out changes nothing and gets the same answer, on any node, for as long as the limits say.
   */
  readonly idempotencyKey?: string | undefined;
}
