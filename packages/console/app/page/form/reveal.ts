/** Reveals invalid fields: expands their parts and focuses the first one. */

type Path = readonly (string | number)[];

/** A request of the form to expand parts; a new object for each request. */
export interface Reveal {
  /** Keys of the parts to expand; other expanded parts stay expanded. `null` collapses all parts. */
  readonly parts: ReadonlySet<string> | null;
  /** Whether the first problem is focused. */
  readonly isFocusing: boolean;
}

/** Maximum number of parts expanded at once, so that submitting a large empty form does not render all of it. */
const mostParts = 5;

/** The key of the part at this path. */
export const partKey = (path: Path): string => JSON.stringify(path.map(String));

export const nothingRevealed: Reveal = { parts: new Set(), isFocusing: false };
export const allClosed = (): Reveal => ({ parts: null, isFocusing: false });

/** `problems`: the paths of the invalid fields. */
export function revealed(problems: readonly Path[]): Reveal {
  const within = new Set<string>();
  const parts = new Set<string>();
  for (const path of problems) {
    // Errors outside of parts are always visible.
    if (path.length > 1) within.add(partKey(path.slice(0, -1)));
    if (within.size > mostParts) break;
    // Includes the last step, since a whole part can be missing.
    for (let depth = 1; depth <= path.length; depth += 1) parts.add(partKey(path.slice(0, depth)));
  }
  return { parts, isFocusing: problems.length > 0 };
}

/** Focuses the first input within an invalid field. */
export const focusProblem = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>('.rjsf-field-error :is(input, select, textarea, button):enabled')?.focus();
