/** A cache by text that is bounded by the total length of its keys. */
import { LRUCache } from 'lru-cache';

/** Evicts the least recently used values beyond `characters`; a longer key is not kept at all. */
export const sizeBoundedCache = <Value extends object>(characters: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: characters, sizeCalculation: (_, key) => Math.max(1, key.length) });
