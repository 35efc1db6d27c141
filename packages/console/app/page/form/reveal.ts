/** Reveals invalid fields: expands their parts and focuses the first one. */

type Path = readonly (string | number)[];

/** What the form itself opens; a new object each time that it does. */
export interface Reveal {
  /** The parts, by the keys of their paths; what else is open stays so. `null` closes all parts. */
  readonly parts: ReadonlySet<string> | null;
  /** Whether the first problem is focused. */
  readonly isFocusing: boolean;
}

/** The problems of so many parts are shown at a time: a form of hundreds of fields that is sent empty would be drawn whole. */
const mostParts = 5;

/** A part is known by the path of its field. */
export const partKey = (path: Path): string => JSON.stringify(path.map(String));

export const nothingRevealed: Reveal = { parts: new Set(), isFocusing: false };
export const allClosed = (): Reveal => ({ parts: null, isFocusing: false });

/** `problems`: the paths of the fields that have them. */
export function revealed(problems: readonly Path[]): Reveal {
  const within = new Set<string>();
  const parts = new Set<string>();
  for (const path of problems) {
    // What is wrong beside the parts is shown anyway.
    if (path.length > 1) within.add(partKey(path.slice(0, -1)));
    if (within.size > mostParts) break;
    // The last step: a part that is missing as a whole.
    for (let depth = 1; depth <= path.length; depth += 1) parts.add(partKey(path.slice(0, depth)));
  }
  return { parts, isFocusing: problems.length > 0 };
}

/** The first field that is shown with a problem, or the first one in it. */
export const focusProblem = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>('.rjsf-field-error :is(input, select, textarea, button):enabled')?.focus();
