/** The entries of a table by id, in insertion order: first the packed ones, then those added since. */
import type { Entry } from './entry.js';
import type { PackedRecords } from './packed-records.js';
import type { Sliceable } from './slices.js';

const none: PackedRecords = {
  length: 0,
  superseded: new Set(),
  positionOf: () => -1,
  entryAt: () => {
    throw new RangeError('There are no packed records.');
  },
};

export class Entries {
  readonly #packed: PackedRecords;
  /** By position: 1 for a packed record that was overwritten or deleted. Allocated with the first of them. */
  #superseded: Uint8Array | undefined;
  #packedSize: number;
  /** The entries that replace packed records, by position. */
  readonly #overwritten = new Map<number, Entry>();
  /** Iterates in insertion order: a `Map` keeps the position of a key that is set again. */
  readonly #added = new Map<string, Entry>();

  constructor(packed: PackedRecords = none) {
    this.#packed = packed;
    this.#packedSize = packed.length;
    for (const position of packed.superseded) this.#remove(position);
  }

  get size(): number {
    return this.#packedSize + this.#overwritten.size + this.#added.size;
  }

  get(id: string): Entry | undefined {
    const added = this.#added.get(id);
    if (added !== undefined || this.#packed.length === 0) return added;
    const position = this.#packed.positionOf(id);
    return position === -1 ? undefined : this.#at(position);
  }

  /** The `seq` of an entry that overwrites another is that of the other one. */
  set(id: string, entry: Entry): void {
    if (entry.seq >= this.#packed.length) this.#added.set(id, entry);
    else {
      this.#remove(entry.seq);
      this.#overwritten.set(entry.seq, entry);
    }
  }

  delete(id: string): void {
    if (this.#added.delete(id) || this.#packed.length === 0) return;
    const position = this.#packed.positionOf(id);
    if (position === -1) return;
    this.#overwritten.delete(position);
    this.#remove(position);
  }

  *values(): IterableIterator<Entry> {
    for (let position = 0; position < this.#packed.length; position += 1) {
      const entry = this.#at(position);
      if (entry !== undefined) yield entry;
    }
    yield* this.#added.values();
  }

  /** The entries of this moment. */
  list(): EntryList {
    if (this.#packed.length === 0) return [...this.#added.values()];
    return new PackedList(this.#packed, this.#positions(), new Map(this.#overwritten), [...this.#added.values()]);
  }

  #at(position: number): Entry | undefined {
    if (this.#superseded?.[position] === 1) return this.#overwritten.get(position);
    return this.#packed.entryAt(position);
  }

  #remove(position: number): void {
    this.#superseded ??= new Uint8Array(this.#packed.length);
    if (this.#superseded[position] === 1) return;
    this.#superseded[position] = 1;
    this.#packedSize -= 1;
  }

  #positions(): Uint32Array {
    const positions = new Uint32Array(this.#packedSize + this.#overwritten.size);
    let length = 0;
    for (let position = 0; position < this.#packed.length; position += 1) {
      if (this.#superseded?.[position] !== 1 || this.#overwritten.has(position)) positions[length++] = position;
    }
    return positions;
  }
}

/** Entries in insertion order, which do not change. */
export interface EntryList extends Sliceable<Entry>, Iterable<Entry> {}

/** Makes the entries of packed records as they are asked for. */
class PackedList implements EntryList {
  readonly length: number;

  constructor(
    private readonly packed: PackedRecords,
    private readonly positions: Uint32Array,
    private readonly overwritten: ReadonlyMap<number, Entry>,
    private readonly added: readonly Entry[],
  ) {
    this.length = positions.length + added.length;
  }

  slice(start: number, end: number): Entry[] {
    const entries = Array.from(this.positions.subarray(start, end), (position) => this.#at(position));
    const before = this.positions.length;
    if (end > before) entries.push(...this.added.slice(Math.max(0, start - before), end - before));
    return entries;
  }

  *[Symbol.iterator](): Iterator<Entry> {
    for (const position of this.positions) yield this.#at(position);
    yield* this.added;
  }

  #at(position: number): Entry {
    return this.overwritten.get(position) ?? this.packed.entryAt(position);
  }
}
