/** Processes many entries in slices and yields to the event loop in between. */
import { setImmediate } from 'node:timers/promises';

/** Entries per slice: a few milliseconds of work. */
const SLICE = 2_000;

/** An array, or what makes its items as they are asked for. */
export interface Sliceable<T> {
  readonly length: number;
  /** Like `Array.prototype.slice` for positions from 0 on. */
  slice(start: number, end: number): readonly T[];
}

export async function eachInSlices<T>(items: Sliceable<T>, visit: (item: T) => void): Promise<void> {
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await setImmediate();
    for (const item of items.slice(at, at + SLICE)) visit(item);
  }
}

/** A stable merge sort with the result of `[...items].sort(compare)`. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await setImmediate();
    runs.push(items.slice(at, at + SLICE).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergeInSlices(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInSlices<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const merged: T[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (merged.length < left.length + right.length) {
    if (merged.length > 0 && merged.length % SLICE === 0) await setImmediate();
    const isLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compare(left[fromLeft] as T, right[fromRight] as T) <= 0);
    merged.push((isLeft ? left[fromLeft++] : right[fromRight++]) as T);
  }
  return merged;
}

/** The first `count` items by `compare`, sorted. One pass with O(count) memory; `keyOf` is called once per item. */
export async function firstInSlices<T, K>(
  items: readonly T[],
  count: number,
  keyOf: (item: T) => K,
  compare: (a: K, b: K) => number,
): Promise<K[]> {
  const room = 2 * Math.max(count, SLICE);
  let best: K[] = [];
  let last: K | undefined;
  await eachInSlices(items, (item) => {
    const key = keyOf(item);
    if (last !== undefined && compare(key, last) >= 0) return;
    best.push(key);
    if (best.length < room) return;
    best = best.sort(compare).slice(0, count);
    last = best.at(-1);
  });
  return (await sortInSlices(best, compare)).slice(0, count);
}
