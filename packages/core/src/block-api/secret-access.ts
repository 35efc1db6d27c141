/** Using secrets in a block. */

export interface SecretReader {
  /**
   * The value of a secret referenced in the options, for immediate use only: it must not reach a document, event,
   * answer or error. Throws `SECRET_UNKNOWN`.
   */
  get(name: string): Promise<string>;
}
