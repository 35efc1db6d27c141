/** Chance from a seed. */
import { randomNumbers } from './random-numbers.mjs';

export class Random {
  #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  /** Begins again with another seed. */
  restart(seed: number): void {
    this.#next = randomNumbers(seed);
  }

  /** From 0 up to, but not, 1. */
  next(): number {
    return this.#next();
  }

  /** A whole number from 0 up to, but not, `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}
