/** Encoding commits as journal lines, which must decode to the same commits. */
import type { ChangeSet } from '@blockwork/core/adapter';
import { describe, expect, it } from 'vitest';
import { JsonText } from '../files/checksummed-json.js';
import { CommitLines } from './commit-lines.js';
import { decodeCommit, findHeads } from './journal-line.js';

const content = (length: number): string => 'é"€\u{1f600}\n'.repeat(length);
const artifact = (id: string, length = 1) => ({ id, name: '', extension: '', content: content(length) });
const entry = (id: string) => ({ id, at: 'now', warnings: [content(1)] });

const commitOf = (id: string, length?: number): ChangeSet =>
  ({
    expect: { [`key ${id}`]: 3 },
    changes: [
      { op: 'put', kind: 'artifact', partition: 'p', value: artifact(id, length) },
      { op: 'put', kind: 'journal', partition: '"p"', value: entry(id) },
      { op: 'delete', kind: 'artifact', partition: 'p', id: 'ü' },
    ],
  }) as unknown as ChangeSet;

const decoded = (lines: CommitLines) => {
  const bytes = Buffer.from(lines.bytes);
  const commits = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    commits.push(decodeCommit(bytes.subarray(start, end)));
    start = end + 1;
  }
  return commits;
};

describe('lines of commits', () => {
  it('contain the commits, with the length of each line', () => {
    const lines = new CommitLines();
    const commits = [commitOf('a'), commitOf('b')];
    const lengths = commits.map((commit, at) => lines.add(at + 1, at, commit).bytes);
    const readCommits = decoded(lines);
    expect(readCommits.map((line) => (line?.bytes ?? 0) + 1)).toEqual(lengths);
    for (const [at, { expect: expected, changes }] of commits.entries())
      expect(readCommits[at]).toMatchObject({ seq: at + 1, synced: at, expect: expected, changes });
    expect(readCommits[0]?.tables).toEqual([
      ['p', 'artifact'],
      ['"p"', 'journal'],
    ]);
    expect(findHeads(Buffer.from(lines.bytes)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('accept commits that are larger than the buffer, and then small ones again', () => {
    const lines = new CommitLines();
    for (const round of [1, 2]) {
      const commits = [commitOf('a'), commitOf('large', 100_000 * round), commitOf('b', 30_000)];
      for (const [at, commit] of commits.entries()) lines.add(at + 1, at, commit);
      expect(decoded(lines).map((line) => line?.changes)).toEqual(commits.map(({ changes }) => changes));
      lines.clear();
      expect(lines.bytes).toHaveLength(0);
    }
  });

  it('return the JSON of history records, and the values of all others', () => {
    const { rows } = new CommitLines().add(1, 0, commitOf('a'));
    expect(rows).toEqual([artifact('a'), new JsonText(JSON.stringify(entry('a'))), undefined]);
  });

  it('are unchanged after a commit that cannot be encoded', () => {
    const lines = new CommitLines();
    lines.add(1, 0, commitOf('a'));
    const invalid = { op: 'put', kind: 'artifact', partition: 'p', value: { id: 'b', content: 1n } };
    expect(() => lines.add(2, 1, { expect: {}, changes: [invalid] } as unknown as ChangeSet)).toThrow(TypeError);
    expect(decoded(lines).map((line) => line?.seq)).toEqual([1]);
  });
});
