/** `node:querystring` for a page. */

/** Names that occur more than once have a list. */
export function parse(text: string): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) values.set(name, [...(values.get(name) ?? []), value]);
  const entries = [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all] as const);
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
}
