/** Finds values that JSON cannot represent. */

/** A function, symbol or big number in a value. */
export interface NotJson {
  /** The path to it. */
  readonly keys: readonly string[];
  readonly type: string;
}

/** The first such value; `undefined` if there is none. Throws a `RangeError` for a cyclic value. */
export function notJson(value: unknown): NotJson | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return { keys: [], type: typeof value };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof member === 'string' || typeof member === 'number') continue;
    const failure = notJson(member);
    if (failure !== undefined) return { ...failure, keys: [key, ...failure.keys] };
  }
  return undefined;
}
