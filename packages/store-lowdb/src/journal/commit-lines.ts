/** Encodes commits that are written together as journal lines, in one buffer. */
import { isHistory, type Change, type ChangeSet } from '@blockwork/core/adapter';
import { JsonText } from '../files/checksummed-json.js';
import { lineBody, lineTail } from './journal-line.js';

/** What a snapshot stores of each change: the value, or its JSON if the value is not needed in memory. */
export type ChangedRows = readonly unknown[];

export interface EncodedCommit {
  /** The length of its line. */
  readonly bytes: number;
  readonly rows: ChangedRows;
}

/** Size of the buffer that is kept between batches. */
const bufferBytes = 2 ** 18;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const bytesPerUnit = 3;

export class CommitLines {
  #memory = Buffer.allocUnsafeSlow(bufferBytes);
  #length = 0;

  /** Valid until `clear`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  add(seq: number, synced: number, changeSet: ChangeSet): EncodedCommit {
    const rows: unknown[] = [];
    const texts = changeSet.changes.map((change) => encodeChange(change, rows));
    const start = this.#length;
    const bodyEnd = this.#write(lineBody(seq, synced, changeSet, texts), start);
    this.#length = this.#write(lineTail(this.#memory.subarray(start, bodyEnd)), bodyEnd);
    return { bytes: this.#length - start, rows };
  }

  clear(): void {
    this.#length = 0;
    if (this.#memory.length > bufferBytes) this.#memory = Buffer.allocUnsafeSlow(bufferBytes);
  }

  /** Returns the end offset. */
  #write(text: string, at: number): number {
    if (at + bytesPerUnit * text.length > this.#memory.length) this.#reserve(at, at + Buffer.byteLength(text));
    return at + this.#memory.write(text, at);
  }

  /** Grows the buffer if needed, and keeps the bytes before `at`. */
  #reserve(at: number, needed: number): void {
    if (needed <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length));
    this.#memory.copy(larger, 0, 0, at);
    this.#memory = larger;
  }
}

/** For history, the snapshot stores the same JSON as the journal. */
function encodeChange(change: Change, rows: unknown[]): string {
  if (change.op !== 'put' || !isHistory(change.kind)) {
    rows.push(change.op === 'put' ? change.value : undefined);
    return JSON.stringify(change);
  }
  const { op, kind, partition, value } = change;
  const text = JSON.stringify(value);
  rows.push(new JsonText(text));
  return `${JSON.stringify({ op, kind, partition }).slice(0, -1)},"value":${text}}`;
}
