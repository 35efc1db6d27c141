/**
 * A few keys as parameters of their own. How many there are shows in the text, so the database sees that the plan it keeps for any keys
 * is as good as one for these: where it is given a list, which may be shorter than it supposes, it plans each time anew.
 */

const FEW = 16;

/**
 * The keys and as many of `filler` as make them a power of two, since each number of them is a statement to be prepared; `null` where
 * they are so many that a plan is the least of what they take.
 */
export function fewOf<Key>(keys: readonly Key[], filler: Key): Key[] | null {
  if (keys.length > FEW) return null;
  let size = 1;
  while (size < keys.length) size *= 2;
  return [...keys, ...Array.from({ length: size - keys.length }, () => filler)];
}

/** `$first`, and those that follow it. */
export const placeholders = (count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, at) => `$${at + first}`);
