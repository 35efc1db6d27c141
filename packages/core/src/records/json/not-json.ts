/** What programs put into a value that JSON cannot hold. */

/** A function, symbol or big number in a value. */
export interface NotJson {
  /** The way to it. */
  readonly keys: readonly string[];
  readonly type: string;
}

/** The first one in a value; `undefined` where there is none. Throws a `RangeError` for a value that holds itself. */
export function notJson(value: unknown): NotJson | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return { keys: [], type: typeof value };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof member === 'string' || typeof member === 'number') continue;
    const found = notJson(member);
    if (found !== undefined) return { ...found, keys: [key, ...found.keys] };
  }
  return undefined;
}
