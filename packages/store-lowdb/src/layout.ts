/** Where everything lies in the store's folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface Layout {
  readonly folder: string;
  readonly manifest: string;
  readonly revisions: string;
  readonly journal: string;
  readonly snapshots: string;
  readonly quarantine: string;
  readonly lock: string;
}

export const layoutOf = (folder: string): Layout => ({
  folder,
  manifest: join(folder, 'store.json'),
  revisions: join(folder, 'revisions.json'),
  journal: join(folder, 'journal'),
  snapshots: join(folder, 'snapshots'),
  quarantine: join(folder, 'quarantine'),
  lock: join(folder, 'lock'),
});

/** Named by the number of their first commit, so that they sort in their order. */
export const segmentName = (first: number): string => `${String(first).padStart(12, '0')}.jsonl`;

export const snapshotName = (partition: string, kind: string): string => `${escaped(partition)}.${escaped(kind)}.json`;

const longest = 100;

/**
 * A name that is safe on every file system, also where case does not count; different texts get different
 * names. What is not a small letter, a digit, `_` or `-` becomes `~` and four hex digits for each UTF-16 code unit.
 */
function escaped(text: string): string {
  const name = text.replace(/[^a-z0-9_-]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (name.length <= longest) return name === '' ? '~' : name;
  const hash = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
  return `${name.slice(0, longest - 36)}~~${hash.slice(0, 32)}`;
}
