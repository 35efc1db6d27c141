/** What a schema found wrong, in one line. */
import type { ErrorDetail } from '@blockwork/core/records';

/** The first three only: the details of the refusal have them all. `whole` names what is checked. */
export function describeProblems(details: readonly ErrorDetail[], whole: string): string {
  const shown = details.slice(0, 3).map(({ path, message }) => `${path === '' ? whole : path}: ${message}`);
  const more = details.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
