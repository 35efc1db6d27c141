/** Finds the intended name for a misspelled one. */

/** Suffix for a message about a name: ` (did you mean "blocks"?)`, or empty if no name is close. */
export function didYouMean(given: string, known: readonly string[]): string {
  const closest = closestTo(given, known);
  return closest === undefined ? '' : ` (did you mean "${closest}"?)`;
}

/**
 * The known name that is closest to a misspelled one, ignoring case; `undefined` if none is within one edit per three
 * characters and within `mostEdits`.
 */
export function closestTo(given: string, known: readonly string[], mostEdits = Infinity): string | undefined {
  let closest: string | undefined;
  let fewest = Math.min(mostEdits, Math.max(1, Math.floor(given.length / 3))) + 1;
  for (const name of known) {
    const edits = editsBetween(given.toLowerCase(), name.toLowerCase());
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
