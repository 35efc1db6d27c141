/** The `Retry-After` header (RFC 9110, section 10.2.3). */

const SECONDS = /^\d{1,10}$/;
/** The preferred form of a date: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). */
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds to wait from `now`, at most `longestMs`; 0 for a header that is absent, past or not understood. */
export function retryAfterMs(header: string | null | undefined, now: number, longestMs: number): number {
  const text = header?.trim() ?? '';
  const asked = SECONDS.test(text) ? Number(text) * 1000 : DATE.test(text) ? Date.parse(text) - now : 0;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(0, asked), longestMs);
}
