/** The records of one snapshot file as lines of JSON, each parsed on demand. */
import { valueAt, type Entry, type RecordValue } from '@blockwork/core/adapter';
import { fieldInText, needsParsing } from './field-in-text.js';
import type { IdHash } from './id-hash.js';
import type { ParsedCache, RowCache } from './parsed-cache.js';

/** The start of almost every line. */
const prefix = Buffer.from('{"id":"');
const [quote, backslash] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];

export class RecordLines implements RowCache {
  /** The position of the first row in its table. */
  first = 0;
  #parsed: (RecordValue | undefined)[] | undefined;

  /**
   * `starts`: the offset of each row, and that after the last one; two bytes separate rows. `irregular`: the ids of the
   * rows that do not start with an id of plain ASCII.
   */
  constructor(
    private readonly bytes: Buffer,
    private readonly starts: Uint32Array,
    private readonly irregular: ReadonlyMap<number, string>,
    private readonly cache: ParsedCache,
  ) {}

  get size(): number {
    return this.starts.length - 1;
  }

  *ids(): IterableIterator<string> {
    for (let row = 0; row < this.size; row += 1) yield this.idAt(row);
  }

  idAt(row: number): string {
    const start = this.#start(row) + prefix.length;
    return this.irregular.get(row) ?? this.bytes.toString('latin1', start, this.bytes.indexOf(quote, start));
  }

  hasId(row: number, id: string): boolean {
    const irregular = this.irregular.size === 0 ? undefined : this.irregular.get(row);
    if (irregular !== undefined) return irregular === id;
    const start = this.#start(row) + prefix.length;
    for (let at = 0; at < id.length; at += 1) {
      const byte = this.bytes[start + at];
      // A quote ends the id of the row, even if `id` contains one.
      if (byte !== id.charCodeAt(at) || byte === quote) return false;
    }
    return this.bytes[start + id.length] === quote;
  }

  hashAt(row: number, hash: IdHash): number {
    const irregular = this.irregular.size === 0 ? undefined : this.irregular.get(row);
    if (irregular !== undefined) return hash.ofText(irregular);
    const start = this.#start(row) + prefix.length;
    let end = start;
    while (this.bytes[end] !== quote) end += 1;
    return hash.ofBytes(this.bytes, start, end);
  }

  textAt(row: number): string {
    return this.bytes.toString('utf8', this.#start(row), this.#end(row));
  }

  bytesAt(row: number): number {
    return this.#end(row) - this.#start(row);
  }

  valueAt(row: number): RecordValue {
    const parsed = this.#parsed?.[row];
    if (parsed !== undefined) return parsed;
    const value = JSON.parse(this.textAt(row)) as RecordValue;
    this.#parsed ??= new Array<RecordValue | undefined>(this.size).fill(undefined);
    this.#parsed[row] = value;
    this.cache.add(this, row, this.bytesAt(row));
    return value;
  }

  /** The value at a path of the record, without adding the record to the cache. */
  fieldAt(row: number, path: string): unknown {
    const parsed = this.#parsed?.[row];
    if (parsed !== undefined) return valueAt(parsed, path);
    const value = fieldInText(this.bytes, this.#start(row), path);
    return value === needsParsing ? valueAt(JSON.parse(this.textAt(row)), path) : value;
  }

  drop(row: number): void {
    if (this.#parsed) this.#parsed[row] = undefined;
  }

  entryAt(row: number): Entry {
    return new PackedEntry(this.first + row, this);
  }

  /** A copy with the ids only, for rows that are read from their file. */
  idsOnly(): RecordLines {
    const starts = new Uint32Array(this.size + 1);
    const ids = Array.from({ length: this.size }, (_, row) => {
      const start = this.#start(row);
      const end = this.irregular.has(row) ? start : this.bytes.indexOf(quote, start + prefix.length) + 1;
      starts[row + 1] = (starts[row] ?? 0) + (end - start);
      return this.bytes.subarray(start, end);
    });
    return new RecordLines(Buffer.concat(ids), starts, this.irregular, this.cache);
  }

  #start(row: number): number {
    return this.starts[row] ?? 0;
  }

  /** Without the comma and the newline. */
  #end(row: number): number {
    return (this.starts[row + 1] ?? 0) - 2;
  }
}

/** Whether a line begins with an id of plain ASCII. */
export function isRegular(bytes: Buffer, start: number, end: number): boolean {
  for (let at = 0; at < prefix.length; at += 1) if (bytes[start + at] !== prefix[at]) return false;
  for (let at = start + prefix.length; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return true;
    if (byte === backslash || byte >= 0x80) return false;
  }
  return false;
}

/** As small as possible, since an index of a large table holds one for each record. */
class PackedEntry implements Entry {
  constructor(
    readonly seq: number,
    private readonly lines: RecordLines,
  ) {}

  get value(): RecordValue {
    return this.lines.valueAt(this.seq - this.lines.first);
  }

  fieldAt(path: string): unknown {
    return this.lines.fieldAt(this.seq - this.lines.first, path);
  }

  get bytes(): number {
    return this.lines.bytesAt(this.seq - this.lines.first);
  }
}
