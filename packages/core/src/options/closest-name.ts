/** Finds the intended name for a misspelled one. */

/** A larger collection belongs to a policy. Others are constants, such as the members of an option. */
const MOST_CONSTANTS = 128;

/**
 * With how many names of one large collection names are compared in all: a policy can name a hundred thousand things that
 * are not there, and each would be compared with all that are.
 */
const MOST_COMPARISONS = 200_000;
const comparisons = new WeakMap<object, number>();

type Names = readonly string[] | ReadonlySet<string> | ReadonlyMap<string, unknown>;

/**
 * The known name that was probably meant; `undefined` if no name is close. A large collection must be the same object each
 * time, since it is compared only so often; one that outlives the policy is copied for each.
 */
export function meantBy(given: string, known: Names): string | undefined {
  const size = 'size' in known ? known.size : known.length;
  if (size > MOST_CONSTANTS) {
    const compared = (comparisons.get(known) ?? 0) + size;
    if (compared > Math.max(MOST_COMPARISONS, size)) return undefined;
    comparisons.set(known, compared);
  }
  return closestTo(given, 'size' in known ? [...known.keys()] : known);
}

/** Suffix for a message about a name: ` (did you mean "blocks"?)`, or empty. */
export const hintAt = (meant: string | undefined): string => (meant === undefined ? '' : ` (did you mean "${meant}"?)`);

/** The hint at the known name that was probably meant; see `meantBy`. */
export const didYouMean = (given: string, known: Names): string => hintAt(meantBy(given, known));

/**
 * The known name that is closest to a misspelled one, ignoring case; `undefined` if none is within one edit per three
 * characters and within `mostEdits`.
 */
export function closestTo(word: string, names: readonly string[], mostEdits = Infinity): string | undefined {
  let closest: string | undefined;
  let fewest = Math.min(mostEdits, Math.max(1, Math.floor(word.length / 3))) + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= fewest) continue;
    const edits = editsBetween(word.toLowerCase(), name.toLowerCase());
    if (edits < fewest) [closest, fewest] = [name, edits];
  }
  return closest;
}

/**
 * Optimal string alignment distance: insertions, deletions, substitutions, and transpositions of adjacent characters.
 */
function editsBetween(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const shifted = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (twoAbove[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, shifted, swapped));
    }
    [twoAbove, above] = [above, current];
  }
  return above[b.length] ?? 0;
}
