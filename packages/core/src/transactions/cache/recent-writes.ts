/** Which records of one kind this process has written lately, and since when it knows of everything that was written. */
import type { Change } from '../../ports/index.js';
import type { RecordKind } from '../../records/index.js';
import { idOf } from './kept-table.js';

/** What is known reaches back by so many records. */
const RECORDS_AT_MOST = 2_000;
/** What is kept of one. */
const ENTRY_BYTES = 150;

export class RecentWrites {
  /** By the revision that they were written at, oldest first. */
  readonly #written = new Map<string, number>();
  #since: number;

  /** Knows of everything that is written from this `revision` on. */
  constructor(
    private readonly kind: RecordKind,
    revision: number,
  ) {
    this.#since = revision;
  }

  get bytes(): number {
    return this.#written.size * ENTRY_BYTES;
  }

  /** The commit that began with this revision. */
  follow(revision: number, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind !== this.kind) continue;
      const id = idOf(change);
      this.#written.delete(id);
      this.#written.set(id, revision);
    }
    for (const [id, at] of this.#written) {
      if (this.#written.size <= RECORDS_AT_MOST) break;
      this.#written.delete(id);
      this.#since = at + 1;
    }
  }

  /** Everything before this revision was written by others, or may have been. */
  forget(revision: number): void {
    this.#written.clear();
    this.#since = revision;
  }

  /** Whether the record was certainly not written from the revision `since` on. */
  lacks(kind: RecordKind, id: string, since: number): boolean {
    return kind === this.kind && since >= this.#since && !this.#written.has(id);
  }
}
