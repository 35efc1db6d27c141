/** A map of items by id, bounded in number and in bytes. */
import { SandboxError } from '../errors.js';

export interface ShelfBounds {
  /** Name of the items in errors. */
  readonly what: string;
  readonly count: number;
  /** Bytes of all items, as JSON. */
  readonly bytes?: number;
  readonly whenFull: 'refuse' | 'forget-oldest';
}

interface Kept<Item> {
  readonly item: Item;
  readonly bytes: number;
}

export class Shelf<Item> {
  readonly #kept = new Map<string, Kept<Item>>();
  #bytes = 0;

  constructor(private readonly bounds: ShelfBounds) {}

  /** Adds or replaces an item. Throws `SANDBOX_FULL` without changing anything. */
  put(id: string, item: Item): void {
    const bytes = this.bounds.bytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(item));
    if (bytes > (this.bounds.bytes ?? Infinity)) throw this.#full();
    while (!this.#hasRoom(id, bytes)) {
      const [oldest] = this.#kept.keys();
      if (this.bounds.whenFull === 'refuse' || oldest === undefined) throw this.#full();
      this.delete(oldest);
    }
    this.#bytes += bytes - (this.#kept.get(id)?.bytes ?? 0);
    this.#kept.set(id, { item, bytes });
  }

  get(id: string): Item | undefined {
    return this.#kept.get(id)?.item;
  }

  /** Returns whether it existed. */
  delete(id: string): boolean {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0;
    return this.#kept.delete(id);
  }

  /** Oldest first. */
  values(): Item[] {
    return [...this.#kept.values()].map(({ item }) => item);
  }

  #hasRoom(id: string, bytes: number): boolean {
    const before = this.#kept.get(id);
    const count = this.#kept.size + (before === undefined ? 1 : 0);
    const total = this.#bytes + bytes - (before?.bytes ?? 0);
    return count <= this.bounds.count && total <= (this.bounds.bytes ?? Infinity);
  }

  #full(): SandboxError {
    const { what, count, bytes } = this.bounds;
    const limit = bytes === undefined ? String(count) : `${String(count)}, or ${String(bytes)} bytes`;
    return new SandboxError('SANDBOX_FULL', { what, limit });
  }
}
