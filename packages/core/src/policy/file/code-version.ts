/** The version of the format that a policy is written in (reference: `codeVersion`), compared number by number. */

/** The newest version that this engine knows; migrated policies have it. */
export const NEWEST_CODE_VERSION = '1.5.1';

/** What a file counts as that does not say, or says something else than a version. */
export const OLDEST_CODE_VERSION = '0.0.0';

/** `major.minor.patch` from one, two or three numbers; `undefined` for anything else. */
export function fullVersion(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > 64 || !/^\d+(\.\d+){0,2}$/.test(text)) return undefined;
  const numbers = text.split('.');
  while (numbers.length < 3) numbers.push('0');
  return numbers.join('.');
}

/** Above 0 when `left` is the newer one. Both are `major.minor.patch`. */
export function compareVersions(left: string, right: string): number {
  const others = right.split('.');
  for (const [index, number] of left.split('.').entries()) {
    const difference = Number(number) - Number(others[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
