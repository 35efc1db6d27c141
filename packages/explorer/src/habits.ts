/** Statistics carried over between walks. */
import type { Move } from './move.js';

export class Habits {
  readonly #accepted = new Map<string, number>();
  readonly #attempts = new Map<string, { accepted: number; refused: number }>();
  /** Why a block was closed when it was last tried. */
  readonly closed = new Map<string, string>();

  acceptedAt(block: string, choice = ''): number {
    return this.#accepted.get(`${block} ${choice}`) ?? 0;
  }

  /** Acceptance rate of a kind of data at the block and the blocks it triggers; one half before the first attempt. */
  successOf(block: string, style: string): number {
    const { accepted, refused } = this.#attempts.get(`${block} ${style}`) ?? { accepted: 0, refused: 0 };
    return (accepted + 1) / (accepted + refused + 2);
  }

  learn({ block, choice, style }: Move, isAccepted: boolean): void {
    if (style !== undefined) {
      const tally = this.#attempts.get(`${block} ${style}`) ?? { accepted: 0, refused: 0 };
      tally[isAccepted ? 'accepted' : 'refused'] += 1;
      this.#attempts.set(`${block} ${style}`, tally);
    }
    if (!isAccepted) return;
    for (const key of new Set([`${block} `, `${block} ${choice ?? ''}`])) {
      this.#accepted.set(key, (this.#accepted.get(key) ?? 0) + 1);
    }
  }
}
