/** New identifiers. Nothing else in the engine makes any. */
export interface Ids {
  /** A UUID that was never given before. */
  uuid(): string;
}
