/** The records of a table that are kept as unparsed lines of their files. */
import type { Entry, PackedRecords } from '@blockwork/core/adapter';
import { IdHash } from './id-hash.js';
import { PositionIndex } from './position-index.js';
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
    const found = this.#files[low];
    if (found === undefined) throw new RangeError('There is no such position.');
    return found;
  }
}
