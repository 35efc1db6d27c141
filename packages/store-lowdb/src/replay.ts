/** The second half of opening: what the journal says beyond the snapshots. */
import { join, relative } from 'node:path';
import type { Change, ChangeSet } from '@blockwork/core';
import { unavailable } from './failures.js';
import type { FileSystem } from './file-system.js';
import type { JournalCommit } from './journal-line.js';
import { JournalSegment } from './journal-segment.js';
import type { Layout } from './layout.js';
import type { Manifest, SegmentEntry } from './manifest.js';
import type { Quarantine } from './quarantine.js';
import type { Recovered } from './recovered.js';
import { readSegment, type LostCommit } from './segment-reader.js';
import { TableMap } from './table-map.js';

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
  readonly #manifest: Manifest;
  readonly #into: Recovered;
  /** The tables that each segment tells of. */
  readonly #touched = new Map<SegmentEntry, TableMap<true>>();
  #open: Open | undefined;

  constructor(files: FileSystem, layout: Layout, manifest: Manifest, into: Recovered) {
    this.#files = files;
    this.#layout = layout;
    this.#manifest = manifest;
    this.#into = into;
  }

  /** Changes nothing on the disk. Rejects with `STORE_UNAVAILABLE` where it cannot be told what was lost. */
  async run(): Promise<void> {
    for (const entry of this.#manifest.segments) await this.#readSegment(entry);
    for (const [entry, tables] of this.#touched) {
      const concerned = [...tables].some(({ partition, kind }) => !this.#into.isServed(partition, kind));
      if (concerned && !this.#into.spoiled.has(this.#path(entry))) this.#into.held.add(entry);
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
    if (bytes === undefined)
      throw unavailable(`${path} is missing. Put the file back; it holds commits that are nowhere else`);
    const content = readSegment(bytes, entry.first, entry.last);
    if (content === undefined)
      throw unavailable(`${path} is damaged: it does not say what it is. Put a good copy of it in its place`);
    const { commits, lost, tornAt } = content;
    for (const commit of lost) this.#lose(commit, path);
    const touched = new TableMap<true>();
    this.#touched.set(entry, touched);
    for (const commit of commits) {
      for (const [partition, kind] of commit.tables) touched.set(partition, kind, true);
      this.#replay(commit);
    }
    this.#into.journalBytes += bytes.length;
    if (entry.last !== undefined) return;
    const keep = tornAt ?? bytes.length;
    if (keep < bytes.length) this.#into.torn = { file: this.#name(path), bytes: bytes.length - keep };
    this.#open = { entry, bytes, keep, last: entry.first - 1 + commits.length + lost.length };
  }

  #lose({ seq, head }: LostCommit, path: string): void {
    const reason = `commit ${seq} in it cannot be read`;
    if (head === undefined && seq > this.#manifest.upTo) {
      throw unavailable(`${path} is damaged: ${reason}, nor what it changed. Put a good copy of the file in its place`);
    }
    this.#into.spoiled.add(path);
    if (head === undefined) return;
    for (const [partition, kind] of head.tables) {
      if (seq > this.#upTo(partition, kind)) this.#into.exclude(partition, kind, this.#name(path), reason);
    }
    this.#advance(seq, head.expect);
    this.#into.saw(seq);
  }

  #replay({ seq, expect, changes }: JournalCommit): void {
    this.#into.saw(seq);
    this.#advance(seq, expect);
    const missing = changes.filter((change) => this.#isNew(seq, change));
    if (missing.length > 0) this.#into.replayed += 1;
    for (const { partition, kind } of missing) this.#into.dirty.set(partition, kind, true);
    this.#into.tables.apply({ expect: {}, changes: missing });
  }

  #isNew(seq: number, { partition, kind }: Change): boolean {
    return this.#into.isServed(partition, kind) && seq > this.#upTo(partition, kind);
  }

  /** A table without a snapshot was empty when the manifest was written. */
  #upTo(partition: string, kind: string): number {
    return this.#into.snapshotUpTo.get(partition, kind) ?? this.#manifest.upTo;
  }

  #advance(seq: number, expect: ChangeSet['expect']): void {
    if (seq > this.#into.revisionsUpTo) this.#into.tables.revisions.advance(expect);
  }

  #path(entry: SegmentEntry): string {
    return join(this.#layout.journal, entry.file);
  }

  #name(path: string): string {
    return relative(this.#layout.folder, path);
  }
}
