/** A cache that gives up what was not used for longest, and takes room for what is in it only: an engine has a dozen of them, most empty. */
import { LRUCache } from 'lru-cache';

/** At most so many entries. Given as `max`, the number would have the library make lists of that length at once. */
export const lruCache = <Value extends string | number | boolean | object>(
  entries: number,
  /** Hears of each value that is given up, replaced or deleted. */
  dispose?: (value: Value) => void,
): LRUCache<string, Value> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1, ...(dispose === undefined ? {} : { dispose }) });
