/** Paths into records: dot-separated keys, list positions as numbers, `L` for the last element of a list. */

/** Caches parsed paths, because parsing costs more than following. Bounded, because clients send paths too. */
const keysByPath = new Map<string, readonly string[]>();
const TAKEN_AT_MOST = 10_000;

/** The value at `path`, or `undefined` if there is none. Only own members are followed. */
export function valueAt(record: unknown, path: string): unknown {
  let value: unknown = record;
  for (const key of keysOf(path)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = elementOf(value, key);
    else value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

const elementOf = (list: readonly unknown[], key: string): unknown =>
  key === 'L' ? list.at(-1) : /^\d+$/.test(key) ? list[Number(key)] : undefined;

function keysOf(path: string): readonly string[] {
  const cached = keysByPath.get(path);
  if (cached !== undefined) return cached;
  if (keysByPath.size >= TAKEN_AT_MOST) keysByPath.clear();
  const keys = path.split('.');
  keysByPath.set(path, keys);
  return keys;
}
