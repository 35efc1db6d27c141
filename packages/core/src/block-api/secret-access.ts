/** How a block uses secrets. */

export interface SecretReader {
  /**
   * The value of a secret that the options refer to, for use at this moment: it must not reach a document, an event, an
   * answer or an error. Throws `SECRET_UNKNOWN`.
   */
  get(name: string): Promise<string>;
}
