/** Collectors of records that arrive one by one. */
import { compareAt, type Order } from '@blockwork/core/adapter';

export interface Collector {
  /** Accepts a matching record; `false` if no more are needed. */
  take(record: unknown): boolean;
}

export class Counter implements Collector {
  total = 0;

  take(): boolean {
    this.total += 1;
    return true;
  }
}

export interface PageCollector extends Collector {
  readonly page: unknown[];
}

/** A page of records that arrive in sort order. */
export class PageInOrder implements PageCollector {
  readonly page: unknown[] = [];
  readonly #limit: number;
  #toSkip: number;

  constructor(offset: number, limit: number) {
    this.#toSkip = offset;
    this.#limit = limit;
  }

  take(record: unknown): boolean {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else if (this.page.length < this.#limit) this.page.push(record);
    return this.page.length < this.#limit;
  }
}

/** Number of surplus records kept before the list is sorted and truncated. */
const SPARE = 2000;

/** A page of records that arrive in the order of insertion, to be sorted by a path. */
export class SortedPage implements PageCollector {
  readonly #order: Order;
  readonly #offset: number;
  readonly #end: number;
  #best: { readonly record: unknown; readonly position: number }[] = [];
  #position = 0;

  constructor(order: Order, offset: number, limit: number) {
    this.#order = order;
    this.#offset = offset;
    this.#end = offset + limit;
  }

  take(record: unknown): boolean {
    this.#best.push({ record, position: this.#position++ });
    if (this.#best.length >= 2 * this.#end + SPARE) this.#best = this.#sorted();
    return true;
  }

  get page(): unknown[] {
    return this.#sorted()
      .slice(this.#offset)
      .map(({ record }) => record);
  }

  #sorted(): { readonly record: unknown; readonly position: number }[] {
    const { path, direction } = this.#order;
    const sign = direction === 'desc' ? -1 : 1;
    const sorted = this.#best.sort((a, b) => sign * (compareAt(a.record, b.record, path) || a.position - b.position));
    return sorted.slice(0, this.#end);
  }
}
