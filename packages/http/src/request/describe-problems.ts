/** Summarizes the problems found by a schema. */
import type { ErrorDetail } from '@blockwork/core/records';

/** The first three only; the error's details list all. `whole` names what was checked. */
export function describeProblems(details: readonly ErrorDetail[], whole: string): string {
  const shown = details.slice(0, 3).map(({ path, message }) => `${path === '' ? whole : path}: ${message}`);
  const more = details.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
