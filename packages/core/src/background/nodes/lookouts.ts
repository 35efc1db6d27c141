/**
 * Lookouts: nodes that are asked so much that they look for letters without being told of them. Telling costs the store more than a look,
 * since it wakes every node. Nothing rests on it: what is not found is taken back by who has sent it.
 */
import { lruCache } from '../../lru-cache.js';
import type { Clock } from '../../ports/index.js';

/** Questions in so many milliseconds that make a node look by itself, and how long it does so after each answer. */
const QUESTIONS = 32;
const LATELY_MS = 100;
const LOOKING_MS = 250;
const NODES_AT_MOST = 1_000;

export class Lookouts {
  readonly #until = lruCache<number>(NODES_AT_MOST);
  /** When the latest questions came, in a circle. */
  readonly #questions: number[] = Array.from({ length: QUESTIONS }, () => -Infinity);
  #next = 0;

  constructor(private readonly clock: Clock) {}

  /** Another node has asked this one. */
  questioned(): void {
    this.#questions[this.#next] = this.clock.now();
    this.#next = (this.#next + 1) % QUESTIONS;
  }

  /** For how many milliseconds from now this node looks by itself: 0 where it is asked little. */
  promise(): number {
    const oldest = this.#questions[this.#next] ?? -Infinity;
    return this.clock.now() - oldest < LATELY_MS ? LOOKING_MS : 0;
  }

  /**
   * Another node looks for so many milliseconds from its answer to a question of `askedAt`; `undefined` where it has to be told. How long
   * the answer was on its way is not known: it is counted from the question on.
   */
  said(nodeId: string, ms: number | undefined, askedAt: number): void {
    if (ms === undefined) this.#until.delete(nodeId);
    else this.#until.set(nodeId, askedAt + ms);
  }

  /** Whether another node looks by itself. */
  has(nodeId: string): boolean {
    return this.clock.now() < (this.#until.get(nodeId) ?? -Infinity);
  }
}
