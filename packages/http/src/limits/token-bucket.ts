/** A token bucket: so many tokens a second, and some that gather while none are used. */
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

  /** Milliseconds until there are `tokens`; 0 if there are. */
  msUntil(tokens: number): number {
    this.#fill();
    const missing = Math.min(tokens, this.burst) - this.#tokens;
    return missing <= 0 ? 0 : Math.ceil((missing / this.perSecond) * 1000);
  }

  /** Takes more than there are, if need be: what is missing has to come in before anything else is taken. */
  take(tokens: number): void {
    this.#fill();
    this.#tokens -= tokens;
  }

  #fill(): void {
    const now = this.clock.now();
    // A clock that was set back gives nothing, and takes nothing away.
    const elapsed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.burst, this.#tokens + (elapsed * this.perSecond) / 1000);
    this.#filledAt = now;
  }
}
