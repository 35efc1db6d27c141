/** Revision numbers and the compare half of compare-and-set. */
import { BlockworkError } from '../../errors.js';
import type { ChangeSet } from '../../ports/index.js';

type Expectation = ChangeSet['expect'];

export class Revisions {
  readonly #numbers = new Map<string, number>();
  readonly #base: Revisions | undefined;

  /** With a `base`, whatever was not advanced here is answered from there. */
  constructor(base?: Revisions) {
    this.#base = base;
  }

  /** 0 for a key that no commit has named. */
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

  /** Moves every key of a checked expectation up by one. */
  advance(expect: Expectation): void {
    for (const [key, revision] of Object.entries(expect)) this.#numbers.set(key, revision + 1);
  }

  /** Forgets everything advanced here; the base is left alone. */
  clear(): void {
    this.#numbers.clear();
  }

  [Symbol.iterator](): IterableIterator<[key: string, revision: number]> {
    return this.#numbers.entries();
  }
}
