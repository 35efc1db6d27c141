/** Backoff by key: failed keys wait, and all others proceed. */
import { afterFailure, type Backoff, type Clock, type RetryState } from '../ports/index.js';
import { shownMessage } from '../shown-text.js';
import type { Failure } from './stuck-work.js';

export class KeyedBackoff {
  readonly #states = new Map<string, RetryState>();
  /** Reasons of failures in this process. */
  readonly #reasons = new Map<string, string>();

  constructor(
    private readonly backoff: Backoff,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return this.#states.size;
  }

  /** The state after one more failure of the key; see `afterFailure`. */
  failed(key: string, error: unknown, atLeastMs = 0): RetryState {
    const state = afterFailure(this.backoff, this.clock.now(), this.#states.get(key), atLeastMs);
    this.#states.set(key, state);
    this.#reasons.set(key, shownMessage(error));
    return state;
  }

  /** The keys that have failed since they last succeeded. */
  keys(): string[] {
    return [...this.#states.keys()];
  }

  /** The failures, each with its last error. */
  failures(): Failure[] {
    return [...this.#states].map(([id, state]) => ({
      id,
      state,
      reason: this.#reasons.get(id) ?? 'it failed in another process',
    }));
  }

  /** Adopts the state that another process has recorded for the key. */
  setState(key: string, state: RetryState): void {
    this.#states.set(key, state);
  }

  succeeded(key: string): void {
    this.#states.delete(key);
    this.#reasons.delete(key);
  }

  /** Whether the key has failed since it last succeeded. */
  has(key: string): boolean {
    return this.#states.has(key);
  }

  /** Whether the key has failed and is still backing off. */
  isWaiting(key: string): boolean {
    return (this.#states.get(key)?.due ?? -Infinity) > this.clock.now();
  }

  /** The keys that are still backing off. */
  waitingKeys(): string[] {
    return this.keys().filter((key) => this.isWaiting(key));
  }

  /** When the first pause ends, among keys that are not `underWay`; `null` if there is none. */
  nextDue(underWay?: ReadonlySet<string>): number | null {
    let next = Infinity;
    for (const [key, { due }] of this.#states) if (due < next && !underWay?.has(key)) next = due;
    return next === Infinity ? null : next;
  }

  /** Ends every pause. A further failure still counts as one more. */
  endPauses(): void {
    for (const [key, { failures }] of this.#states) this.#states.set(key, { failures, due: -Infinity });
  }

  /** Forgets every other key. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#states.keys()) if (!keys.has(key)) this.succeeded(key);
  }
}
