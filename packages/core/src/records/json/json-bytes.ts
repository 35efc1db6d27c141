/** The size of a value as JSON, which is what limits in bytes count. */

/** More than any text can have. */
const TOO_LARGE_FOR_A_TEXT = 2 ** 31;

/** In UTF-8; for a value that is too large to be written as one text, more than any other has. */
export function jsonBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return TOO_LARGE_FOR_A_TEXT;
    throw error;
  }
}
