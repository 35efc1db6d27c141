/** The current time. The engine's only source of it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** The moment as the interface writes it, for instance `2026-03-14T09:26:53.589Z`. */
export const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();
