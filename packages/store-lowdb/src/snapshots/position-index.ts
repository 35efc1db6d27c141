/** A hash table of positions by id, in two typed arrays, whose content the garbage collector never visits. */

/** Minimum number of slots per position. */
const slotsPerPosition = 1.5;

export class PositionIndex {
  /** Position plus one; 0 if the slot is free. */
  #positions: Uint32Array;
  #hashes: Uint32Array;
  #count = 0;

  /** `expected`: the number of positions to allocate slots for. */
  constructor(expected: number) {
    const slots = slotsFor(expected);
    this.#positions = new Uint32Array(slots);
    this.#hashes = new Uint32Array(slots);
  }

  /** The position with this hash for which `isMatch` holds, or -1. */
  find(hash: number, isMatch: (position: number) => boolean): number {
    const slot = this.#slotOf(hash, isMatch);
    return (this.#positions[slot] ?? 0) - 1;
  }

  /** Returns the position that is replaced, or -1. */
  set(hash: number, position: number, isMatch: (position: number) => boolean): number {
    if (slotsFor(this.#count + 1) > this.#positions.length) this.#grow();
    const slot = this.#slotOf(hash, isMatch);
    const before = (this.#positions[slot] ?? 0) - 1;
    if (before === -1) this.#count += 1;
    this.#positions[slot] = position + 1;
    this.#hashes[slot] = hash;
    return before;
  }

  /** The slot of the position, or the free one where it belongs. */
  #slotOf(hash: number, isMatch: (position: number) => boolean): number {
    const mask = this.#positions.length - 1;
    let slot = hash & mask;
    for (let held = this.#positions[slot] ?? 0; held !== 0; held = this.#positions[slot] ?? 0) {
      if (this.#hashes[slot] === hash && isMatch(held - 1)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [positions, hashes] = [this.#positions, this.#hashes];
    this.#positions = new Uint32Array(2 * positions.length);
    this.#hashes = new Uint32Array(2 * positions.length);
    for (const [at, held] of positions.entries()) {
      if (held === 0) continue;
      const slot = this.#slotOf(hashes[at] ?? 0, () => false);
      this.#positions[slot] = held;
      this.#hashes[slot] = hashes[at] ?? 0;
    }
  }
}

/** A power of two. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(4, slotsPerPosition * count)));
