/** The ledger that topics live on, as far as importing a policy needs it. */
export interface Ledger {
  /**
   * Makes a topic and resolves with its id `<a>.<b>.<c>`. A second call with the same idempotency key makes
   * nothing and resolves with the first id.
   */
  createTopic(memo: string, idempotencyKey: string): Promise<string>;

  /** Puts a message into a topic; resolves with its id `<seconds>.<nanoseconds>`. Idempotent like `createTopic`. */
  submitMessage(topicId: string, message: string, idempotencyKey: string): Promise<string>;
}
