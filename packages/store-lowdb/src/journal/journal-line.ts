/** Encodes and decodes a commit as one line of the journal. */
import type { ChangeSet } from '@blockwork/core/adapter';
import { checksum } from '../files/checksum.js';
import { tableKindOf } from '../manifest/table-kind.js';

/** The start of a line, before the changes. It has its own checksum, so it can survive damage to the rest. */
export interface CommitHead {
  /** Commits are numbered from 1, without gaps. */
  readonly seq: number;
  /** Every commit up to this number was durable when the line was written. */
  readonly synced: number;
  readonly expect: ChangeSet['expect'];
  /** The tables it changes. */
  readonly tables: readonly (readonly [partition: string, kind: string])[];
}

export interface JournalCommit extends CommitHead {
  readonly changes: ChangeSet['changes'];
  /** The length of its line. */
  readonly bytes: number;
}

/**
 * `{"seq":…,"synced":…,"expect":…,"tables":…,"head":"<crc>","changes":[…],"crc32":"<crc>"}` without the last member. `changes`: each
 * as JSON.
 */
export function lineBody(
  seq: number,
  synced: number,
  { expect, changes }: ChangeSet,
  texts: readonly string[],
): string {
  const head = JSON.stringify({ seq, synced, expect, tables: tablesOf(changes) }).slice(0, -1);
  return `${head},"head":"${checksum(head)}","changes":[${texts.join(',')}]`;
}

/** The last member, the end of the object and a newline. `body`: the bytes before it. */
export const lineTail = (body: Uint8Array): string => `,"crc32":"${checksum(body)}"}\n`;

function tablesOf(changes: ChangeSet['changes']): [string, string][] {
  const tables: [string, string][] = [];
  for (const change of changes) {
    const [partition, kind] = [change.partition, tableKindOf(change)];
    if (!tables.some(([p, k]) => p === partition && k === kind)) tables.push([partition, kind]);
  }
  return tables;
}

const tailLength = ',"crc32":"01234567"}'.length;

/** Takes a line without its newline. `undefined` if the checksum does not match. */
export function decodeCommit(line: Buffer): JournalCommit | undefined {
  const body = line.subarray(0, Math.max(0, line.length - tailLength));
  if (line.toString('latin1', body.length) !== `,"crc32":"${checksum(body)}"}`) return undefined;
  const commit = JSON.parse(line.toString('utf8')) as Omit<JournalCommit, 'bytes'>;
  return { ...commit, bytes: line.length };
}

const headStart = '{"seq":';
const headEnd = ',"head":"';

/**
 * The intact heads in damaged bytes; they tell what was lost. Neither marker can occur inside a string, where quotes are
 * escaped.
 */
export function findHeads(bytes: Buffer): CommitHead[] {
  const heads: CommitHead[] = [];
  for (let start = bytes.indexOf(headStart); start !== -1; start = bytes.indexOf(headStart, start + 1)) {
    const end = bytes.indexOf(headEnd, start);
    if (end === -1) break;
    const head = bytes.subarray(start, end);
    const sum = bytes.toString('latin1', end + headEnd.length, end + headEnd.length + 8);
    if (sum === checksum(head)) heads.push(JSON.parse(`${head.toString('utf8')}}`) as CommitHead);
  }
  return heads;
}
