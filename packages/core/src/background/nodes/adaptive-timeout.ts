/** The timeout for other nodes to take a letter: a multiple of the median of their recent response times. */
import { lruCache } from '../../lru-cache.js';

export interface TimeoutLimits {
  /** Minimum and maximum timeout in milliseconds. */
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Number of recent response times considered, and the multiple of their median that is the timeout. */
const RECENT = 16;
const MEDIAN_FACTOR = 4;
const NODES_AT_MOST = 1_000;

export class AdaptiveTimeout {
  readonly #limits: TimeoutLimits;
  readonly #recent = lruCache<number[]>(NODES_AT_MOST);

  constructor(limits: TimeoutLimits) {
    this.#limits = limits;
  }

  /** Records that an answer of the node took `ms` milliseconds, or at least that long. */
  record(node: string, ms: number): void {
    this.#recent.set(node, [...(this.#recent.get(node) ?? []), ms].slice(-RECENT));
  }

  /** The timeout for a node in milliseconds. */
  of(node: string): number {
    const { leastMs, mostMs } = this.#limits;
    const sorted = [...(this.#recent.get(node) ?? [])].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(leastMs, Math.min(mostMs, MEDIAN_FACTOR * median));
  }
}
