/** The size of a value as JSON, as limits in bytes count it. */

/** Larger than any string can be. */
const TOO_LARGE_FOR_A_TEXT = 2 ** 31;

/** Of one UTF-16 unit in a text, written as `\u0000`, and of a number, such as `-1.7976931348623157e+308`. */
const UNIT_BYTES = 6;
const NUMBER_BYTES = 24;

/** In UTF-8; for a value that is too large to be written as one text, more than any other has. */
export function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return TOO_LARGE_FOR_A_TEXT;
    throw error;
  }
}

/** Whether a JSON value has more bytes as JSON. Written out, which costs several times as much as a look at it, only near the limit. */
export const exceedsJsonBytes = (value: unknown, limit: number): boolean =>
  jsonBytesAtMost(value) > limit && jsonBytes(value) > limit;

/** Not less than `jsonBytes` of a JSON value. */
export function jsonBytesAtMost(value: unknown): number {
  if (typeof value === 'string') return UNIT_BYTES * value.length + 2;
  if (typeof value === 'number') return NUMBER_BYTES;
  if (value === null || value === true || value === false || value === undefined) return 5;
  // What is no JSON is for the writer of JSON to decide about.
  if (typeof value !== 'object') return Infinity;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += 1 + jsonBytesAtMost(item);
  else {
    for (const key of Object.keys(value)) {
      bytes += UNIT_BYTES * key.length + 4 + jsonBytesAtMost((value as Record<string, unknown>)[key]);
    }
  }
  return bytes;
}
