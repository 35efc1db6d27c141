/** Reads a journal segment: its commits, lost commits, and an incomplete end. */
import { Turns } from '../files/turns.js';
import { decodeCommit, findHeads, type CommitHead, type JournalCommit } from './journal-line.js';

/** Unchanged since format 1 of the store. */
const journalFormat = 1;

export interface LostCommit {
  readonly seq: number;
  /** Absent if its head is damaged too. */
  readonly head?: CommitHead;
}

export interface SegmentContent {
  readonly commits: readonly JournalCommit[];
  /** Acknowledged commits that are unreadable. */
  readonly lost: readonly LostCommit[];
  /** Where an incomplete end starts, which was never acknowledged; `undefined` if there is none. */
  readonly validLength?: number;
}

interface Line {
  readonly commit: JournalCommit;
  /** The offset after its newline. */
  readonly end: number;
}

/** The first line of a segment. It is flushed before the manifest lists the segment, so an empty file has lost content. */
export const segmentHeader = (first: number): string =>
  `${JSON.stringify({ journal: 'blockwork', format: journalFormat, first })}\n`;

/** The content of a segment without the zeros reserved for later commits. No line has any: JSON escapes them. */
export function withoutReserve(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

/**
 * `undefined` if the bytes are not recognizable as a segment that starts with commit `first`. `last` is known for sealed
 * segments, whose commits were all acknowledged. In the segment being written, a crash may have truncated the end: the
 * commits that neither a later line nor `durable` reports as durable. `bytes`: see `withoutReserve`.
 */
export async function readSegment(
  bytes: Buffer,
  first: number,
  last?: number,
  durable = 0,
  turns = new Turns(),
): Promise<SegmentContent | undefined> {
  const header = segmentHeader(first);
  const { lines, heads } = await readLines(bytes, first, turns);
  if (lines.length === 0 && bytes.toString('utf8', 0, header.length) !== header) return undefined;
  const durableUpTo = Math.max(first - 1, durable);
  const acknowledged = last ?? lines.reduce((most, { commit }) => Math.max(most, commit.synced), durableUpTo);
  const commits: JournalCommit[] = [];
  const lost: LostCommit[] = [];
  const addLostBefore = (end: number): void => {
    for (let seq = first + commits.length + lost.length; seq < end; seq++) {
      const head = heads.get(seq);
      lost.push(head === undefined ? { seq } : { seq, head });
    }
  };

  let validLength = header.length;
  for (const { commit, end } of lines) {
    addLostBefore(Math.min(commit.seq, acknowledged + 1));
    if (commit.seq !== first + commits.length + lost.length) return { commits, lost, validLength };
    commits.push(commit);
    validLength = end;
  }
  const isComplete = first + commits.length + lost.length > acknowledged;
  addLostBefore(acknowledged + 1);
  // What is left of an acknowledged commit stays in its place: its head tells which tables it changed.
  const isTorn = last === undefined && isComplete && validLength < bytes.length;
  return isTorn ? { commits, lost, validLength } : { commits, lost };
}

async function readLines(
  bytes: Buffer,
  first: number,
  turns: Turns,
): Promise<{ lines: Line[]; heads: Map<number, CommitHead> }> {
  const lines: Line[] = [];
  const heads = new Map<number, CommitHead>();
  let newest = first - 1;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const commit = newline === -1 ? undefined : decodeCommit(bytes.subarray(start, newline));
    if (commit !== undefined && commit.seq > newest) {
      lines.push({ commit, end });
      newest = commit.seq;
    } else for (const head of findHeads(bytes.subarray(start, end))) heads.set(head.seq, head);
    if (turns.spend(end - start)) await turns.next();
    start = end;
  }
  return { lines, heads };
}
