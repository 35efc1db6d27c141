/** Where everything lies in the store's folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** What this version writes into `store.json` and the snapshots. It reads every one up to this, and none that is newer. */
export const format = 2;

export interface Layout {
  readonly folder: string;
  readonly manifest: string;
  readonly journal: string;
  readonly snapshots: string;
  readonly quarantine: string;
  readonly lock: string;
}

export const layoutOf = (folder: string): Layout => ({
  folder,
  manifest: join(folder, 'store.json'),
  journal: join(folder, 'journal'),
  snapshots: join(folder, 'snapshots'),
  quarantine: join(folder, 'quarantine'),
  lock: join(folder, 'lock'),
});

/** Named by the number of their first commit, so that they sort in their order. */
export const segmentName = (first: number): string => `${String(first).padStart(12, '0')}.jsonl`;

const version = (part: number, upTo: number): string => `${part}-${upTo}.json`;

/** A part of a table as it was after a commit. Each such file is written once and never changed. */
export const partName = (partition: string, kind: string, part: number, upTo: number): string =>
  `snapshots/${escaped(partition)}.${escaped(kind)}.${version(part, upTo)}`;

/** No table has such a name: kinds have no dot, and are never missing. */
export const revisionsName = (part: number, upTo: number): string => `snapshots/revisions.${version(part, upTo)}`;

/** The numbers in the name of a file of a snapshot; `undefined` where it has none. */
export function versionIn(name: string): { part: number; upTo: number } | undefined {
  const [, part, upTo] = /\.(\d+)-(\d+)\.json$/.exec(name) ?? [];
  return part === undefined ? undefined : { part: Number(part), upTo: Number(upTo) };
}

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
