/** Reads a segment of the journal: what it says, what was lost, and where it was torn off. */
import { decodeCommit, findHeads, type CommitHead, type JournalCommit } from './journal-line.js';

/** The journal is written as it was in format 1. */
const journalFormat = 1;

export interface LostCommit {
  readonly seq: number;
  /** Absent where nothing is left that says what the commit changed. */
  readonly head?: CommitHead;
}

export interface SegmentContent {
  readonly commits: readonly JournalCommit[];
  /** Acknowledged commits that can no longer be read. */
  readonly lost: readonly LostCommit[];
  /** Length of the part to keep, where what follows it was never acknowledged; `undefined` when all is kept. */
  readonly tornAt?: number;
}

interface Line {
  readonly commit: JournalCommit;
  /** Where the line ends, its break included. */
  readonly end: number;
}

/** The first line of a segment, flushed before the manifest names it: one that is empty has lost what it held. */
export const segmentHeader = (first: number): string =>
  `${JSON.stringify({ journal: 'blockwork', format: journalFormat, first })}\n`;

/**
 * `undefined` when nothing shows that this was a segment which begins with that commit. `last` is known for segments that are written to no more: everything from `first` to it was acknowledged. In
 * the one being written, a crash may have torn the end: what no later line says was durable.
 */
export function readSegment(bytes: Buffer, first: number, last?: number): SegmentContent | undefined {
  const header = segmentHeader(first);
  const { lines, heads } = readLines(bytes, first);
  if (lines.length === 0 && bytes.toString('utf8', 0, header.length) !== header) return undefined;
  const acknowledged = last ?? lines.reduce((most, { commit }) => Math.max(most, commit.synced), first - 1);
  const commits: JournalCommit[] = [];
  const lost: LostCommit[] = [];
  const loseUpTo = (end: number): void => {
    for (let seq = first + commits.length + lost.length; seq < end; seq++) {
      const head = heads.get(seq);
      lost.push(head === undefined ? { seq } : { seq, head });
    }
  };

  let kept = header.length;
  for (const { commit, end } of lines) {
    loseUpTo(Math.min(commit.seq, acknowledged + 1));
    if (commit.seq !== first + commits.length + lost.length) return { commits, lost, tornAt: kept };
    commits.push(commit);
    kept = end;
  }
  loseUpTo(acknowledged + 1);
  return last === undefined && kept < bytes.length ? { commits, lost, tornAt: kept } : { commits, lost };
}

function readLines(bytes: Buffer, first: number): { lines: Line[]; heads: Map<number, CommitHead> } {
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
    start = end;
  }
  return { lines, heads };
}
