/** An LRU cache that allocates on demand: an engine has a dozen of them, most of them empty. */
import { LRUCache } from 'lru-cache';

/** Holds up to this many entries. Not passed as `max`, because the library preallocates arrays of that length. */
export const lruCache = <Value extends string | number | boolean | object>(
  entries: number,
  /** Called with each value that is evicted, replaced or deleted. */
  dispose?: (value: Value) => void,
): LRUCache<string, Value> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1, ...(dispose === undefined ? {} : { dispose }) });
