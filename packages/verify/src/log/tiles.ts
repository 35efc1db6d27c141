/** The files of a log (C2SP `tlog-tiles`). */
import { hexOf } from './note.js';

export const TILE_WIDTH = 256;
const HASH_BYTES = 32;

/** The files of a log: a folder, or an address. */
export interface LogFiles {
  /** `undefined` for a file that is not there. `path`: `checkpoint`, `key`, `tile/...` or `journal/...`. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** The path of a tile, or of its first hashes. */
export function tilePath(level: number | 'entries', index: number, width: number): string {
  return `tile/${String(level)}/${numbered(index)}${width === TILE_WIDTH ? '' : `.p/${String(width)}`}`;
}

/** The path of the journal entries whose leaves are in a tile, one on each line. */
export const journalPath = (index: number): string => `journal/${numbered(index)}.jsonl`;

/** The tiles of a level in a tree of this size. */
export function* tilesAt(level: number, size: number): Generator<{ index: number; width: number }, void> {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  for (let index = 0; index * TILE_WIDTH < hashes; index += 1) {
    yield { index, width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) };
  }
}

/** The hashes in a tile, in hexadecimal digits. */
export const hashesIn = (tile: Uint8Array): string[] =>
  Array.from({ length: Math.floor(tile.length / HASH_BYTES) }, (_, at) =>
    hexOf(tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
  );

/** The data of leaves, each after its length in two bytes; `undefined` if the bytes do not end with one. */
export function leavesIn(bundle: Uint8Array): Uint8Array[] | undefined {
  const leaves: Uint8Array[] = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0);
    if (end > bundle.length) return undefined;
    leaves.push(bundle.subarray(at + 2, end));
    at = end;
  }
  return leaves;
}

function numbered(index: number): string {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return path;
}
