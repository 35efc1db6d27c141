/** The second half of opening: what the journal says beyond the snapshots. */
import { join } from 'node:path';
import type { ChangeSet } from '@blockwork/core/adapter';
import { unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import type { JournalCommit } from '../journal/journal-line.js';
import { JournalSegment } from '../journal/journal-segment.js';
import type { Layout } from '../files/layout.js';
import type { SegmentEntry } from '../manifest/manifest-content.js';
import type { Quarantine } from '../files/quarantine.js';
import type { Recovered } from './recovered.js';
import { readSegment, type LostCommit } from '../journal/segment-reader.js';
import { TableMap } from '../manifest/table-map.js';

/** How the end of the segment that was being written is to be mended. */
interface Open {
  readonly entry: SegmentEntry;
  readonly bytes: Buffer;
  readonly keep: number;
  /** The number of its last commit. */
  readonly last: number;
}

export class Replay {
  readonly #files: FileSystem;
  readonly #layout: Layout;
  readonly #into: Recovered;
  /** The tables that each segment tells of. */
  readonly #touched = new Map<SegmentEntry, TableMap<true>>();
  #open: Open | undefined;

  constructor(files: FileSystem, layout: Layout, into: Recovered) {
    this.#files = files;
    this.#layout = layout;
    this.#into = into;
  }

  /** Changes nothing on the disk. Rejects with `STORE_UNAVAILABLE` where it cannot be told what was lost. */
  async run(): Promise<void> {
    for (const entry of this.#into.manifest.segments) await this.#readSegment(entry);
    for (const [entry, tables] of this.#touched) {
      if ([...tables].some(({ partition, kind }) => !this.#into.isWhole(partition, kind))) this.#into.held.add(entry);
    }
  }

  /** Cuts off a torn end, and gives the segment to go on with, if there is one that is sound. */
  async mend(quarantine: Quarantine): Promise<JournalSegment | undefined> {
    if (this.#open === undefined) return undefined;
    const { entry, bytes, keep, last } = this.#open;
    if (keep < bytes.length) await quarantine.keep(`${entry.file}.torn`, bytes.subarray(keep));
    const segment = await JournalSegment.resume(this.#files, this.#layout, entry, keep);
    // Also flushes what a crashed process had written and not flushed: it is served from now on.
    await segment.cut();
    if (last === this.#into.lastSeq && !this.#into.spoiled.has(this.#path(entry))) return segment;
    entry.last = last;
    await segment.close();
    return undefined;
  }

  async #readSegment(entry: SegmentEntry): Promise<void> {
    const path = this.#path(entry);
    const bytes = await this.#files.read(path);
    if (bytes === undefined) {
      this.#refuse(path, 'is missing', 'Put the file back; it holds commits that are nowhere else');
      this.#giveUp(entry);
      return;
    }
    const content = readSegment(bytes, entry.first, entry.last);
    if (content === undefined) {
      this.#refuse(path, 'is damaged: it does not say what it is', 'Put a good copy of it in its place');
      this.#giveUp(entry);
      return;
    }
    const { commits, lost, tornAt } = content;
    const touched = new TableMap<true>();
    this.#touched.set(entry, touched);
    for (const commit of [...commits, ...lost].sort((one, other) => one.seq - other.seq)) {
      if ('changes' in commit) this.#replay(commit, touched);
      else this.#lose(commit, path, touched);
    }
    this.#into.journalBytes += bytes.length;
    if (entry.last !== undefined) return;
    const keep = tornAt ?? bytes.length;
    if (keep < bytes.length) this.#into.torn = { file: this.#into.nameOf(path), bytes: bytes.length - keep };
    this.#open = { entry, bytes, keep, last: entry.first - 1 + commits.length + lost.length };
  }

  #lose({ seq, head }: LostCommit, path: string, touched: TableMap<true>): void {
    const reason = `commit ${seq} in it cannot be read`;
    if (head === undefined && seq > this.#into.manifest.upTo)
      this.#refuse(path, `is damaged: ${reason}, nor what it changed`, 'Put a good copy of the file in its place');
    this.#into.spoiled.add(path);
    // Where it does not say what it was about, it may be about any table that waits for what it says.
    const concerned = head?.tables ?? [...this.#into.manifest.damaged].map(({ partition, kind }) => [partition, kind]);
    for (const [partition = '', kind = ''] of concerned) {
      if (seq <= this.#into.upToOf(partition, kind)) continue;
      touched.set(partition, kind, true);
      this.#into.exclude(partition, kind, this.#into.nameOf(path), reason);
    }
    if (head === undefined) return;
    this.#advance(seq, head.expect);
    this.#into.saw(seq);
  }

  #replay({ seq, expect, changes, bytes, tables }: JournalCommit, touched: TableMap<true>): void {
    this.#into.saw(seq);
    this.#advance(seq, expect);
    for (const [partition, kind] of tables)
      if (seq > this.#into.upToOf(partition, kind)) touched.set(partition, kind, true);
    const missing = changes.filter(({ partition, kind }) => seq > this.#into.upToOf(partition, kind));
    if (missing.some(({ partition, kind }) => this.#into.isWhole(partition, kind))) this.#into.replayed += 1;
    this.#into.apply({ expect: {}, changes: missing }, bytes);
  }

  /** Unless loss is accepted, the store cannot be opened. */
  #refuse(path: string, what: string, advice: string): void {
    if (!this.#into.acceptsLoss) throw unavailable(`${path} ${what}. ${advice}`);
    this.#into.note(this.#into.nameOf(path), what);
  }

  #giveUp(entry: SegmentEntry): void {
    const { manifest } = this.#into;
    manifest.segments = manifest.segments.filter((listed) => listed !== entry);
    this.#into.saw(entry.last ?? entry.first);
  }

  #advance(seq: number, expect: ChangeSet['expect']): void {
    if (seq <= this.#into.revisionsUpTo) return;
    for (const [key, revision] of Object.entries(expect)) this.#into.setRevision(key, revision + 1);
  }

  #path(entry: SegmentEntry): string {
    return join(this.#layout.journal, entry.file);
  }
}
