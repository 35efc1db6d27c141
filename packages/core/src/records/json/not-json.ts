/** What programs put into a value that JSON cannot hold. */

/** Where the first function, symbol or big number is in a value, and its type; `undefined` where there is none. */
export function notJson(value: unknown): { readonly keys: readonly string[]; readonly type: string } | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return { keys: [], type: typeof value };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = notJson(member);
    if (found !== undefined) return { ...found, keys: [key, ...found.keys] };
  }
  return undefined;
}
