/** The names of the files in a store's folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The format written to `store.json` and the snapshots. All older formats can be read. */
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

/** Named after the first commit, so that names sort in commit order. */
export const segmentName = (first: number): string => `${String(first).padStart(12, '0')}.jsonl`;

const version = (part: number, upTo: number): string => `${part}-${upTo}.json`;

/** One part of a table as of commit `upTo`. Such a file is written once and never changed. */
export const partName = (partition: string, kind: string, part: number, upTo: number): string =>
  `snapshots/${escaped(partition)}.${escaped(kind)}.${version(part, upTo)}`;

/** Cannot collide with a table: those have a kind, and kinds contain no dot. */
export const revisionsName = (part: number, upTo: number): string => `snapshots/revisions.${version(part, upTo)}`;

/** The numbers in the name of a snapshot file; `undefined` in format 1. */
export function versionIn(name: string): { part: number; upTo: number } | undefined {
  const [, part, upTo] = /\.(\d+)-(\d+)\.json$/.exec(name) ?? [];
  return part === undefined ? undefined : { part: Number(part), upTo: Number(upTo) };
}

const maxLength = 100;

/**
 * An injective encoding that is safe on every file system, case-insensitive ones included. Everything but lower-case
 * letters, digits, `_` and `-` becomes `~` and four hex digits per UTF-16 code unit; long names end in a hash.
 */
function escaped(text: string): string {
  const name = text.replace(/[^a-z0-9_-]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (name.length <= maxLength) return name === '' ? '~' : name;
  const hash = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
  return `${name.slice(0, maxLength - 36)}~~${hash.slice(0, 32)}`;
}
