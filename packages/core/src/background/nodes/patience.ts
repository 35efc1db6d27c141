/** How long a node waits for others to take its letters: a multiple of their recent response times. */
import { lruCache } from '../../lru-cache.js';

export interface PatienceLimits {
  /** Minimum and maximum wait in milliseconds. */
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Number of recent answers considered, and the multiple of their median that a node waits. */
const RECENT = 16;
const TIMES = 4;
const NODES_AT_MOST = 1_000;

export class Patience {
  readonly #limits: PatienceLimits;
  readonly #recent = lruCache<number[]>(NODES_AT_MOST);

  constructor(limits: PatienceLimits) {
    this.#limits = limits;
  }

  /** Records that an answer of the node took `ms` milliseconds, or at least that long. */
  took(node: string, ms: number): void {
    this.#recent.set(node, [...(this.#recent.get(node) ?? []), ms].slice(-RECENT));
  }

  /** The wait for a node in milliseconds. */
  with(node: string): number {
    const { leastMs, mostMs } = this.#limits;
    const sorted = [...(this.#recent.get(node) ?? [])].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(leastMs, Math.min(mostMs, TIMES * median));
  }
}
