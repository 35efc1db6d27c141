/** New identifiers. The engine's only source of them. */
export interface Ids {
  /** A UUID that was never returned before. */
  uuid(): string;
}
