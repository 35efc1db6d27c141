/** How long a node waits for others to take its letters: some multiple of the time that their answers have taken lately. */
import { lruCache } from '../../lru-cache.js';

export interface PatienceLimits {
  /** Milliseconds that any node is waited for, and that none is waited for longer than. */
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Answers in a row that count, and how many times as long as their median a node is waited for. */
const RECENT = 16;
const TIMES = 4;
const NODES_AT_MOST = 1_000;

export class Patience {
  readonly #limits: PatienceLimits;
  readonly #recent = lruCache<number[]>(NODES_AT_MOST);

  constructor(limits: PatienceLimits) {
    this.#limits = limits;
  }

  /** An answer of the node took so many milliseconds, or at least so many. */
  took(node: string, ms: number): void {
    this.#recent.set(node, [...(this.#recent.get(node) ?? []), ms].slice(-RECENT));
  }

  /** Milliseconds. */
  with(node: string): number {
    const { leastMs, mostMs } = this.#limits;
    const sorted = [...(this.#recent.get(node) ?? [])].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return Math.max(leastMs, Math.min(mostMs, TIMES * median));
  }
}
