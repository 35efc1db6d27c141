/** Comparing lists and objects by name. */

export interface ListChange<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
  readonly kept: readonly (readonly [before: T, after: T])[];
}

export function compareBy<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): ListChange<T> {
  const [old, now] = [
    new Map(before.map((item) => [keyOf(item), item])),
    new Map(after.map((item) => [keyOf(item), item])),
  ];
  const kept: [T, T][] = [];
  for (const [key, item] of old) {
    const other = now.get(key);
    if (other !== undefined) kept.push([item, other]);
  }
  return {
    added: [...now].filter(([key]) => !old.has(key)).map(([, item]) => item),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, item]) => item),
    kept,
  };
}

export const compareNames = (before: readonly string[], after: readonly string[]): ListChange<string> =>
  compareBy(before, after, (name) => name);

/** The members that differ, as text: `rule: "a" -> "b"`. */
export function changedMembers(before: object, after: object, ignored: readonly string[] = []): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => !ignored.includes(name)).sort();
  return names
    .filter((name) => canonical(old.get(name)) !== canonical(now.get(name)))
    .map((name) => `${name}: ${shown(old.get(name))} -> ${shown(now.get(name))}`);
}

/** Canonical text: equal for equal values, regardless of member order. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
