/** Things of one kind that clients make, each with an owner: bounded, and found again after a restart. */
import type { JsonObject } from '@blockwork/core';
import type { z } from 'zod';
import type { KeptState } from './kept-state.js';
import { Shelf, type ShelfBounds } from './shelf.js';

export interface Owned {
  readonly id: string;
  readonly owner: string;
}

export interface OwnedBookOptions<Item extends Owned & JsonObject> extends Pick<ShelfBounds, 'what' | 'count'> {
  readonly bytes: number;
  /** The section of the kept state. */
  readonly section: string;
  readonly item: z.ZodType<Item>;
  readonly state: KeptState;
}

export class OwnedBook<Item extends Owned & JsonObject> {
  readonly #shelf: Shelf<Item>;
  readonly #state: KeptState;

  /** Throws `OPTION_INVALID` for damaged state. */
  constructor({ what, count, bytes, section, item, state }: OwnedBookOptions<Item>) {
    this.#shelf = new Shelf({ what, count, bytes, whenFull: 'refuse' });
    this.#state = state;
    for (const each of state.open(section, item, () => this.#shelf.values())) this.#shelf.put(each.id, each);
  }

  /** Adds or replaces one. Rejects with `SANDBOX_FULL`, `STATE_NOT_KEPT`. */
  async put(item: Item): Promise<Item> {
    this.#shelf.put(item.id, item);
    await this.#state.save();
    return item;
  }

  get(id: string): Item | undefined {
    return this.#shelf.get(id);
  }

  /** Oldest first. */
  all(): Item[] {
    return this.#shelf.values();
  }

  /** Oldest first. */
  of(owner: string): Item[] {
    return this.all().filter((item) => item.owner === owner);
  }

  /** `undefined` also for another owner's. */
  ofOwner(id: string, owner: string): Item | undefined {
    const item = this.get(id);
    return item?.owner === owner ? item : undefined;
  }

  /** Resolves with whether it existed. Rejects with `STATE_NOT_KEPT`. */
  async delete(id: string): Promise<boolean> {
    const existed = this.#shelf.delete(id);
    if (existed) await this.#state.save();
    return existed;
  }
}
