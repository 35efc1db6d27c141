/** Message ids `<seconds>.<nanoseconds>`: a message's timestamp, strictly increasing. */

/** Ids of ten digits before the point sort as text, so no id is earlier than this second (in September 2001). */
const FIRST_SECOND = 1_000_000_000;
const NANOS = 1_000_000_000n;

/** The id of a moment in milliseconds since 1970, with `nanoseconds` (below a million) within the millisecond. */
export function messageIdAt(now: number, nanoseconds = 0): string {
  const ms = Math.max(Math.floor(now), FIRST_SECOND * 1000);
  return written(BigInt(ms) * 1_000_000n + BigInt(nanoseconds));
}

/** The id of the next message: now, or right after `newest` if the clock has not passed it. */
export function nextMessageId(now: number, newest: string): string {
  const present = messageIdAt(now);
  return laterMessageId(present, newest) === newest ? written(nanosOf(newest) + 1n) : present;
}

/** The moment of an id, in whole seconds, as milliseconds since 1970. */
export const momentOfMessage = (id: string): number => Number(id.split('.')[0]) * 1_000;

/** The later of two ids; the second if they are equal. Invalid ids sort first. */
export const laterMessageId = (a: string, b: string): string => (nanosOf(a) > nanosOf(b) ? a : b);

const written = (nanos: bigint): string => `${String(nanos / NANOS)}.${String(nanos % NANOS).padStart(9, '0')}`;

function nanosOf(id: string): bigint {
  const [, seconds, nanoseconds] = /^(\d{1,12})\.(\d{9})$/.exec(id) ?? [];
  return seconds === undefined || nanoseconds === undefined ? -1n : BigInt(seconds) * NANOS + BigInt(nanoseconds);
}
