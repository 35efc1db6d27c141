/** The second half of recovery: replays the journal on top of the snapshots. */
import { join } from 'node:path';
import type { ChangeSet } from '@blockwork/core/adapter';
import { replaceFile } from '../files/atomic-file.js';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { Quarantine } from '../files/quarantine.js';
import { Turns } from '../files/turns.js';
import type { JournalCommit } from '../journal/journal-line.js';
import { readDurable, type Durable } from '../journal/durable-mark.js';
import { type Durability, JournalSegment } from '../journal/journal-segment.js';
import { readSegment, withoutReserve, type LostCommit, type SegmentContent } from '../journal/segment-reader.js';
import { type SegmentEntry, TableMap } from '../manifest/manifest-content.js';
import { tableKindOf } from '../manifest/table-kind.js';
import type { RecoveredState } from './recovered-state.js';

/** The segment that was being written. */
interface OpenSegment {
  readonly entry: SegmentEntry;
  readonly bytes: Buffer;
  readonly validLength: number;
  /** The number of its last commit. */
  readonly last: number;
}

export class JournalReplay {
  readonly #files: FileSystem;
  readonly #layout: Layout;
  readonly #state: RecoveredState;
  /** The tables that each segment changes beyond their snapshots. */
  readonly #tablesOf = new Map<SegmentEntry, TableMap<true>>();
  readonly #turns = new Turns();
  #open: OpenSegment | undefined;
  #durable: Durable | undefined;

  constructor(files: FileSystem, layout: Layout, state: RecoveredState) {
    this.#files = files;
    this.#layout = layout;
    this.#state = state;
  }

  /** Changes nothing on disk. Rejects with `STORE_UNAVAILABLE` if it is unknown what was lost. */
  async run(): Promise<void> {
    // Before the journal, which another process may be writing.
    this.#durable = await readDurable(this.#files, this.#layout.durable);
    for (const entry of this.#state.manifest.segments) await this.#replaySegment(entry);
    for (const [entry, tables] of this.#tablesOf) {
      if ([...tables].some(({ partition, kind }) => !this.#state.isIntact(partition, kind)))
        this.#state.retained.add(entry);
    }
  }

  /** Removes the incomplete end. Resolves to the segment to continue, if it is undamaged. */
  async reopenSegment(quarantine: Quarantine, durability: Durability): Promise<JournalSegment | undefined> {
    if (this.#open === undefined) return undefined;
    const { entry, bytes, validLength, last } = this.#open;
    if (validLength < bytes.length) await quarantine.add(`${entry.file}.torn`, bytes.subarray(validLength));
    await this.#makeDurable(this.#open, durability);
    const segment = await JournalSegment.reopen(this.#files, this.#layout, entry, validLength, durability);
    await segment.rollback();
    if (last === this.#state.lastSeq && !this.#state.corrupted.has(this.#path(entry))) return segment;
    entry.last = last;
    await segment.close();
    return undefined;
  }

  /**
   * Writes again what a crashed process wrote and may not have flushed, since it is visible from now on. A flush alone is
   * not enough: after one that failed, the system has the content in its cache and takes it for written.
   */
  async #makeDurable({ entry, bytes, validLength, last }: OpenSegment, durability: Durability): Promise<void> {
    if (durability !== 'fsync' || last < entry.first || this.#durableIn(entry) === last) return;
    await replaceFile(this.#files, this.#path(entry), [bytes.subarray(0, validLength)]);
    await this.#files.syncFolder(this.#layout.journal);
  }

  async #replaySegment(entry: SegmentEntry): Promise<void> {
    const path = this.#path(entry);
    const read = await this.#files.read(path);
    if (read === undefined) {
      this.#assertLossAccepted(path, 'is missing', 'Restore the file; its commits exist nowhere else');
      this.#skip(entry);
      return;
    }
    const bytes = withoutReserve(read);
    const content = await readSegment(bytes, entry.first, entry.last, this.#durableIn(entry), this.#turns);
    if (content === undefined) {
      this.#assertLossAccepted(path, 'is damaged: it is not a journal segment', 'Restore a good copy of it');
      this.#skip(entry);
      return;
    }
    await this.#replayContent(entry, path, content);
    this.#state.journalBytes += bytes.length;
    if (entry.last === undefined) this.#noteOpenSegment(entry, path, bytes, content);
  }

  async #replayContent(entry: SegmentEntry, path: string, { commits, lost }: SegmentContent): Promise<void> {
    const tables = new TableMap<true>();
    this.#tablesOf.set(entry, tables);
    this.#refuseUnknownLoss(entry, lost);
    for (const commit of [...commits, ...lost].sort((one, other) => one.seq - other.seq)) {
      if ('changes' in commit) {
        this.#replay(commit, tables);
        if (this.#turns.spend(commit.bytes)) await this.#turns.next();
      } else this.#lose(commit, path, tables);
    }
  }

  #noteOpenSegment(entry: SegmentEntry, path: string, bytes: Buffer, content: SegmentContent): void {
    const { commits, lost, validLength = bytes.length } = content;
    const last = entry.first - 1 + commits.length + lost.length;
    if (validLength < bytes.length)
      this.#state.truncated = {
        file: this.#state.nameOf(path),
        bytes: bytes.length - validLength,
        lastCommit: last,
        isConfirmed: this.#durableIn(entry) === last,
      };
    this.#open = { entry, bytes, validLength, last };
  }

  #replay({ seq, expect, changes, bytes, tables }: JournalCommit, changed: TableMap<true>): void {
    this.#state.advanceTo(seq);
    this.#advanceRevisions(seq, expect);
    for (const [partition, kind] of tables)
      if (seq > this.#state.upToOf(partition, kind)) changed.set(partition, kind, true);
    const missing = changes.filter((change) => seq > this.#state.upToOf(change.partition, tableKindOf(change)));
    if (missing.some((change) => this.#state.isIntact(change.partition, tableKindOf(change))))
      this.#state.replayed += 1;
    this.#state.apply({ expect: {}, changes: missing }, bytes);
  }

  #lose({ seq, head }: LostCommit, path: string, changed: TableMap<true>): void {
    const state = this.#state;
    const reason = `commit ${seq} in it is unreadable`;
    state.corrupted.add(path);
    // Without a head, it may concern any table that still needs the journal.
    const tables = head?.tables ?? [...state.manifest.damaged].map(({ partition, kind }) => [partition, kind]);
    for (const [partition = '', kind = ''] of tables) {
      if (seq <= state.upToOf(partition, kind)) continue;
      changed.set(partition, kind, true);
      state.markDamaged(partition, kind, state.nameOf(path), reason);
    }
    if (head !== undefined) this.#advanceRevisions(seq, head.expect);
    state.advanceTo(seq);
  }

  /** Without the head of a commit, it is unknown what was lost. */
  #refuseUnknownLoss(entry: SegmentEntry, lost: readonly LostCommit[]): void {
    const seqs = lost.filter(({ seq, head }) => head === undefined && seq > this.#state.manifest.upTo);
    if (seqs.length === 0) return;
    const of = rangesOf(seqs.map(({ seq }) => seq));
    const isOldCopy = `. If this folder is an older copy of the store, remove ${this.#layout.durable}`;
    const advice = `Restore a good copy of it${this.#durableIn(entry) === undefined ? '' : isOldCopy}`;
    this.#assertLossAccepted(this.#path(entry), `is damaged: ${of} in it cannot be read, though acknowledged`, advice);
  }

  /** The last commit recorded as durable, if it is in this segment. */
  #durableIn({ file }: SegmentEntry): number | undefined {
    return this.#durable?.segment === file ? this.#durable.commit : undefined;
  }

  #advanceRevisions(seq: number, expect: ChangeSet['expect']): void {
    if (seq <= this.#state.revisionsUpTo) return;
    for (const [key, revision] of Object.entries(expect)) this.#state.setRevision(key, revision + 1);
  }

  #assertLossAccepted(path: string, what: string, advice: string): void {
    if (!this.#state.acceptsLoss) throw unavailable(`${path} ${what}. ${advice}`);
    this.#state.addDamage(this.#state.nameOf(path), what);
  }

  #skip(entry: SegmentEntry): void {
    const { manifest } = this.#state;
    manifest.segments = manifest.segments.filter((listed) => listed !== entry);
    this.#state.advanceTo(entry.last ?? entry.first);
  }

  #path(entry: SegmentEntry): string {
    return join(this.#layout.journal, entry.file);
  }
}

/** Such as `commit 7` or `commits 7, 9 to 12`. */
function rangesOf(seqs: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last?.[1] === seq - 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  const text = ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ');
  return `commit${seqs.length === 1 ? '' : 's'} ${text}`;
}
