/** Names that an import makes unique: with the time as a suffix, and a number if that name is taken as well. */

/** The first free variant of a name, beginning with the name itself. `now`: milliseconds since 1970. */
export async function firstFree(
  name: string,
  now: number,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> {
  let candidate = name;
  for (let attempt = 1; await isTaken(candidate); attempt += 1) {
    candidate = attempt === 1 ? `${name}_${String(now)}` : `${name}_${String(now)}_${String(attempt)}`;
  }
  return candidate;
}

/** Whether a policy with this name may be an import of a file with the `original` name, which another policy had. */
export const isUniqueVariant = (name: string, original: string): boolean =>
  name.startsWith(original) && /^(_\d{13,}(_\d+)?)?$/.test(name.slice(original.length));
