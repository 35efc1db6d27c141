/** A token bucket: a refill rate and a burst capacity. */
import type { Clock } from '@blockwork/core';

export class TokenBucket {
  #tokens: number;
  #filledAt: number;

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly clock: Clock,
  ) {
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  /** Milliseconds until `tokens` are available; 0 if they are. */
  msUntil(tokens: number): number {
    this.#fill();
    const missing = Math.min(tokens, this.burst) - this.#tokens;
    return missing <= 0 ? 0 : Math.ceil((missing / this.perSecond) * 1000);
  }

  /** May overdraw the bucket; the deficit must be refilled before anything else is taken. */
  take(tokens: number): void {
    this.#fill();
    this.#tokens -= tokens;
  }

  #fill(): void {
    const now = this.clock.now();
    // A clock that is set back neither adds nor removes tokens.
    const elapsed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.burst, this.#tokens + (elapsed * this.perSecond) / 1000);
    this.#filledAt = now;
  }
}
