/** Tokens cannot currently be verified. */

/** Answered with 503. The cause, which may name addresses, is for the log. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
  /** Time until the next attempt to load the keys. */
  readonly seconds: number;

  constructor(seconds: number, cause: unknown) {
    super('The keys for verifying tokens cannot be loaded.', { cause });
    this.seconds = seconds;
  }
}
