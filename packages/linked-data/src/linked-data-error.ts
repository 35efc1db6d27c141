/** The error for documents that are no linked data, or not such that all of it would be signed. */
export class LinkedDataError extends Error {
  override readonly name = 'LinkedDataError';
  /** As in the engine's table of errors; the message is the reason, without a full stop. */
  readonly code = 'CREDENTIAL_INVALID';
}
