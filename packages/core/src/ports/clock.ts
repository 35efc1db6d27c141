/** The current time. The engine's only source of it. */
export interface Clock {
  /**
   * Milliseconds since 1970-01-01T00:00:00Z.
   *
   * @example
   * const month = 30 * 24 * 60 * 60 * 1000;
   * const isOverdue = ctx.clock.now() > Date.parse(certificate.createDate) + month;
   */
  now(): number;
}

/** The last timestamp formatted: most are requested several times. */
let last = { at: 0, text: '1970-01-01T00:00:00.000Z' };

/** The time in ISO 8601 with milliseconds, for example `2026-03-14T09:26:53.589Z`. */
export function isoNow(clock: Clock): string {
  const at = clock.now();
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
