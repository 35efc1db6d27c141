/** Which lanes other processes write to as well: only there do units wait for a lock before they run. */
import { lruCache } from '../lru-cache.js';
import type { Lane } from './revision-keys.js';

/** After so many locks in a row that no other process wanted, a lane does without. */
const UNWANTED_LOCKS = 16;
const LANES_AT_MOST = 1_000;

export class Contention {
  /** The unwanted locks that are left to each contended lane. */
  readonly #left = lruCache<number>(LANES_AT_MOST);

  isContended(lane: Lane): boolean {
    return this.#left.get(lane) !== undefined;
  }

  /** Called when another process wrote before a unit of this one. */
  onConflict(lane: Lane): void {
    this.#left.set(lane, UNWANTED_LOCKS);
  }

  /** Called with each lock: whether another process wanted it too. */
  onLocked(lane: Lane, isWanted: boolean): void {
    const left = isWanted ? UNWANTED_LOCKS : (this.#left.get(lane) ?? 0) - 1;
    if (left > 0) this.#left.set(lane, left);
    else this.#left.delete(lane);
  }
}
