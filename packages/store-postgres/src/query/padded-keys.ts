/**
 * Passes a few keys as separate parameters. Their number is visible in the statement text, so the database settles on a
 * generic plan; for a list of unknown length it would re-plan every time.
 */

const KEYS_AT_MOST = 16;

/**
 * The keys, padded with `filler` to a power of two, which limits the number of prepared statements; `null` for so many keys that
 * planning cost is negligible.
 */
export function paddedKeys<Key>(keys: readonly Key[], filler: Key): Key[] | null {
  if (keys.length > KEYS_AT_MOST) return null;
  let size = 1;
  while (size < keys.length) size *= 2;
  return [...keys, ...Array.from({ length: size - keys.length }, () => filler)];
}

/** `count` placeholders starting at `$first`. */
export const placeholders = (count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, at) => `$${at + first}`);
