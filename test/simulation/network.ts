/** What lies between processes: latency, loss, and cuts. Nothing is lost while faults are off. */
import type { Random } from '../support/random.js';

export class Network {
  /** Whether messages may be lost, doubled and delayed for long. */
  isFaulty = false;
  readonly #cuts = new Set<string>();

  constructor(readonly random: Random) {}

  /** Cuts a process off from what it talks to: `store` or `link`. */
  cut(process: string, from: 'store' | 'link'): void {
    this.#cuts.add(`${process} ${from}`);
  }

  join(process: string, to: 'store' | 'link'): void {
    this.#cuts.delete(`${process} ${to}`);
  }

  isCut(process: string, from: 'store' | 'link'): boolean {
    return this.#cuts.has(`${process} ${from}`);
  }

  /** Milliseconds on the way: mostly about one, sometimes many. */
  latency(): number {
    const dice = this.random.next();
    if (!this.isFaulty || dice < 0.9) return dice * 2;
    return dice < 0.99 ? this.random.next() * 60 : this.random.next() * 3_000;
  }

  chance(probability: number): boolean {
    return this.isFaulty && this.random.chance(probability);
  }
}
