/** Nobody can say now whether a token is good. */

/** Answered with 503. The cause, which may name addresses, is for the log. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
  /** Until the next attempt to load the keys. */
  readonly seconds: number;

  constructor(seconds: number, cause: unknown) {
    super('The keys that tokens are verified with cannot be loaded.', { cause });
    this.seconds = seconds;
  }
}
