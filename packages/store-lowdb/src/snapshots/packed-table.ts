/** The records of a table that are kept as unparsed lines of their files. */
import type { Entry, PackedRecords } from '@blockwork/core/adapter';
import { IdHash } from './id-hash.js';
import type { RecordLines } from './record-lines.js';

export class PackedTable implements PackedRecords {
  readonly superseded = new Set<number>();
  length = 0;
  readonly #files: RecordLines[] = [];
  readonly #index: PositionIndex;
  readonly #hash: IdHash;

  /** `expected`: the approximate number of records. */
  constructor(expected: number, hash = new IdHash()) {
    this.#index = new PositionIndex(expected);
    this.#hash = hash;
  }

  /** Returns the rows of earlier files, or of this one, whose ids occur again. */
  add(lines: RecordLines): { readonly id: string; readonly lines: RecordLines }[] {
    const repeated: { id: string; lines: RecordLines }[] = [];
    lines.first = this.length;
    this.#files.push(lines);
    this.length += lines.size;
    let id: string | undefined;
    const isSame = (position: number): boolean => this.#hasId(position, (id ??= lines.idAt(row)));
    let row = 0;
    for (; row < lines.size; row += 1) {
      id = undefined;
      const before = this.#index.set(lines.hashAt(row, this.#hash), lines.first + row, isSame);
      if (before === -1) continue;
      this.superseded.add(before);
      repeated.push({ id: lines.idAt(row), lines: this.#fileAt(before) });
    }
    return repeated;
  }

  positionOf(id: string): number {
    return this.#index.find(this.#hash.ofText(id), (position) => this.#hasId(position, id));
  }

  /** The file that a record came from. */
  fileOf(id: string): RecordLines | undefined {
    const position = this.positionOf(id);
    return position === -1 ? undefined : this.#fileAt(position);
  }

  /** The JSON of the record. */
  textOf(id: string): string {
    const position = this.positionOf(id);
    const lines = this.#fileAt(position);
    return lines.textAt(position - lines.first);
  }

  entryAt(position: number): Entry {
    const lines = this.#fileAt(position);
    return lines.entryAt(position - lines.first);
  }

  #hasId(position: number, id: string): boolean {
    const lines = this.#fileAt(position);
    return lines.hasId(position - lines.first, id);
  }

  #fileAt(position: number): RecordLines {
    let low = 0;
    let high = this.#files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#files[middle]?.first ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    const file = this.#files[low];
    if (file === undefined) throw new RangeError('There is no such position.');
    return file;
  }
}

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
    for (let position = this.#positions[slot] ?? 0; position !== 0; position = this.#positions[slot] ?? 0) {
      if (this.#hashes[slot] === hash && isMatch(position - 1)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [positions, hashes] = [this.#positions, this.#hashes];
    this.#positions = new Uint32Array(2 * positions.length);
    this.#hashes = new Uint32Array(2 * positions.length);
    for (const [at, position] of positions.entries()) {
      if (position === 0) continue;
      const slot = this.#slotOf(hashes[at] ?? 0, () => false);
      this.#positions[slot] = position;
      this.#hashes[slot] = hashes[at] ?? 0;
    }
  }
}

/** A power of two. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(4, slotsPerPosition * count)));
