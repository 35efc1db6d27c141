/** The names of the files in a store's folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The format written to `store.json` and the snapshots. All older formats can be read. */
export const format = 3;

export interface Layout {
  readonly folder: string;
  readonly manifest: string;
  readonly journal: string;
  /** The last commit known to be on the disk. */
  readonly durable: string;
  readonly snapshots: string;
  readonly quarantine: string;
  readonly lock: string;
}

export const layoutOf = (folder: string): Layout => ({
  folder,
  manifest: join(folder, 'store.json'),
  journal: join(folder, 'journal'),
  durable: join(folder, 'durable'),
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

/** Whether a snapshot file holds revisions. In format 1, there was one. */
export const holdsRevisions = (name: string): boolean =>
  name === 'revisions.json' || /^snapshots\/revisions\.\d/.test(name);

/** The numbers in the name of a snapshot file; `undefined` in format 1. */
export function versionIn(name: string): { part: number; upTo: number } | undefined {
  const [, part, upTo] = /\.(\d+)-(\d+)\.json$/.exec(name) ?? [];
  return part === undefined ? undefined : { part: Number(part), upTo: Number(upTo) };
}

/** The table that a snapshot file is named after; `undefined` if the name is shortened, or not that of a table. */
export function tableIn(name: string): { partition: string; kind: string } | undefined {
  const [, partition, kind] = /^snapshots\/([^.]+)\.([^.]+)\.(?:\d+-\d+\.)?json$/.exec(name) ?? [];
  if (partition === undefined || kind === undefined || name.includes('~~')) return undefined;
  return { partition: unescaped(partition), kind: unescaped(kind) };
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

const unescaped = (name: string): string =>
  name === '~'
    ? ''
    : name.replace(/~([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
