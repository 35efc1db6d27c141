/** Where the files of documents are put, addressed by their content. */

export interface FileStore {
  /**
   * Stores the bytes and resolves with their CID when they are there to stay. Rejects if the store gives them another
   * CID than their own. Putting the same bytes again changes nothing.
   */
  put(bytes: Uint8Array): Promise<string>;
}
