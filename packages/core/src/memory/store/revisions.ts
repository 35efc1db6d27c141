/** Revision numbers and the compare half of compare-and-set. */
import { BlockworkError } from '../../errors.js';
import type { ChangeSet } from '../../ports/index.js';

type Expectation = ChangeSet['expect'];

export class Revisions {
  readonly #numbers = new Map<string, number>();
  readonly #base: Revisions | undefined;

  /** Keys that were not advanced here are looked up in `base`. */
  constructor(base?: Revisions) {
    this.#base = base;
  }

  /** 0 for a key that was never committed. */
  get(key: string): number {
    return this.#numbers.get(key) ?? this.#base?.get(key) ?? 0;
  }

  set(key: string, revision: number): void {
    this.#numbers.set(key, revision);
  }

  /** Throws `CONFLICT` with the first key that has moved. */
  check(expect: Expectation): void {
    for (const [key, revision] of Object.entries(expect)) {
      if (this.get(key) !== revision) throw new BlockworkError('CONFLICT', { facts: { key } });
    }
  }

  /** Throws `CONFLICT` unless each expectation is met by what those before it leave behind. */
  checkChain(expectations: readonly Expectation[]): void {
    const after = new Revisions(this);
    for (const expect of expectations) {
      after.check(expect);
      after.advance(expect);
    }
  }

  /** Increments every key of a checked expectation. */
  advance(expect: Expectation): void {
    for (const [key, revision] of Object.entries(expect)) this.#numbers.set(key, revision + 1);
  }

  /** Discards the revisions set here, not those of the base. */
  clear(): void {
    this.#numbers.clear();
  }

  [Symbol.iterator](): IterableIterator<[key: string, revision: number]> {
    return this.#numbers.entries();
  }
}
