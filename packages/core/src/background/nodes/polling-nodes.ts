/**
 * Nodes that are asked so often that they poll for letters without notifications. A notification costs the store more
 * than a poll, since it wakes every node. Correctness does not depend on it: the sender retracts letters that are not
 * found.
 */
import { lruCache } from '../../lru-cache.js';
import type { Clock } from '../../ports/index.js';

/** This many questions within `WINDOW_MS` make a node poll, and `POLLING_MS` is how long it polls after each answer. */
const QUESTIONS = 32;
const WINDOW_MS = 100;
const POLLING_MS = 250;
const NODES_AT_MOST = 1_000;

export class PollingNodes {
  readonly #until = lruCache<number>(NODES_AT_MOST);
  /** The times of the latest questions, as a ring buffer. */
  readonly #questions: number[] = Array.from({ length: QUESTIONS }, () => -Infinity);
  #next = 0;

  constructor(private readonly clock: Clock) {}

  /** Records a question from another node. */
  recordQuestion(): void {
    this.#questions[this.#next] = this.clock.now();
    this.#next = (this.#next + 1) % QUESTIONS;
  }

  /** For how many milliseconds from now this node polls; 0 if it is rarely asked. */
  pollingMs(): number {
    const oldest = this.#questions[this.#next] ?? -Infinity;
    return this.clock.now() - oldest < WINDOW_MS ? POLLING_MS : 0;
  }

  /**
   * Records that another node polls for `ms` milliseconds after its answer to a question asked at `askedAt`;
   * `undefined` if it needs notifications. Counted from the question, since the travel time of the answer is unknown.
   */
  update(nodeId: string, ms: number | undefined, askedAt: number): void {
    if (ms === undefined) this.#until.delete(nodeId);
    else this.#until.set(nodeId, askedAt + ms);
  }

  /** Whether another node polls by itself. */
  has(nodeId: string): boolean {
    return this.clock.now() < (this.#until.get(nodeId) ?? -Infinity);
  }
}
