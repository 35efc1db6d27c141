/** Versions of the policy format (reference: `codeVersion`), compared number by number. */

/** The newest known version, which migrated policies have. */
export const NEWEST_CODE_VERSION = '1.5.1';

/** Assumed where the version is missing or malformed. */
export const OLDEST_CODE_VERSION = '0.0.0';

/** Completes one to three numbers to `major.minor.patch`; `undefined` for anything else. */
export function fullVersion(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 64 || !/^\d+(\.\d+){0,2}$/.test(text)) return undefined;
  const numbers = text.split('.');
  while (numbers.length < 3) numbers.push('0');
  return numbers.join('.');
}

/** Positive if `left` is newer. Both are `major.minor.patch`. */
export function compareVersions(left: string, right: string): number {
  const others = right.split('.');
  for (const [index, number] of left.split('.').entries()) {
    const difference = Number(number) - Number(others[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
