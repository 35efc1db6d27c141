/** The records of one kind that this process wrote recently, and the revision since which it knows every write. */
import type { Change } from '../../ports/index.js';
import type { RecordKind } from '../../records/index.js';
import { idOf } from './cached-table.js';

/** Number of writes remembered. */
const RECORDS_AT_MOST = 2_000;
/** Size of one entry. */
const ENTRY_BYTES = 150;

export class RecentWrites {
  /** The revision at which each record was written, by id; oldest first. */
  readonly #written = new Map<string, number>();
  #since: number;

  /** Knows every write from this `revision` on. */
  constructor(
    private readonly kind: RecordKind,
    revision: number,
  ) {
    this.#since = revision;
  }

  get bytes(): number {
    return this.#written.size * ENTRY_BYTES;
  }

  /** Follows the commit that began with this revision. */
  apply(revision: number, changes: readonly Change[]): void {
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

  /** Discards everything known before this revision, since other processes may have written. */
  reset(revision: number): void {
    this.#written.clear();
    this.#since = revision;
  }

  /** Whether the record was certainly not written from revision `since` on. */
  isUnwritten(kind: RecordKind, id: string, since: number): boolean {
    return kind === this.kind && since >= this.#since && !this.#written.has(id);
  }
}
