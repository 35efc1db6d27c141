/** Tiles: the hashes of a Merkle tree in pieces of 256, with the addresses that C2SP `tlog-tiles` gives them. */
import { emptyRoot, HASH_BYTES, leftSize, nodeHash, type Hash, type Span } from './merkle.js';

/** Hashes in a full tile. */
export const TILE_WIDTH = 256;

/** Levels of nodes between two levels of tiles: 2^8 hashes are one hash above. */
const TILE_HEIGHT = 8;

/** A tile, or the first hashes of one. */
export interface TileAddress {
  /** 0 for the hashes of leaves; `entries` for what these are the hashes of. */
  readonly level: number | 'entries';
  /** Which of its level, from 0. */
  readonly index: number;
  /** How many hashes, 1 to 256. */
  readonly width: number;
}

/** Resolves with at least so many hashes of a tile, as bytes one after another; fewer only if they do not exist. */
export type TileReader = (level: number, index: number, width: number) => Promise<Uint8Array>;

/** Hashes at a level of tiles in a tree of this size. */
export const widthAt = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/** The path of a tile below the address of its log: `tile/0/x001/067`, `tile/entries/000.p/17`. */
export function tilePath({ level, index, width }: TileAddress): string {
  let path = String(index % 1000).padStart(3, '0');
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return `tile/${String(level)}/${path}${width === TILE_WIDTH ? '' : `.p/${String(width)}`}`;
}

/** The tile at a path; `undefined` for one that `tilePath` never gives. */
export function tileAt(path: string): TileAddress | undefined {
  const [, level = '', groups = '', last = '', part] =
    /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,4})(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? [];
  if (last === '') return undefined;
  const address: TileAddress = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '') + last),
    width: part === undefined ? TILE_WIDTH : Number(part),
  };
  return tilePath(address) === path ? address : undefined;
}

/** Every tile of a tree of this size: full ones, and the last one of each level up to its width. */
export function* tilesOf(size: number): Generator<{ level: number; index: number; width: number }, void> {
  for (let level = 0; widthAt(level, size) > 0; level += 1) {
    const hashes = widthAt(level, size);
    for (let index = 0; index * TILE_WIDTH < hashes; index += 1) {
      yield { level, index, width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) };
    }
  }
}

/** A tree whose hashes are in tiles. Each tile is read once. */
export class TiledTree {
  readonly #tiles = new Map<string, Promise<Uint8Array>>();

  constructor(
    readonly size: number,
    private readonly read: TileReader,
  ) {}

  root(): Promise<Hash> {
    return this.size === 0 ? Promise.resolve(emptyRoot()) : this.hashOf({ start: 0, end: this.size });
  }

  hashesOf(spans: readonly Span[]): Promise<Hash[]> {
    return Promise.all(spans.map((span) => this.hashOf(span)));
  }

  /** The hash of a part that occurs in a tree of this size, or a smaller one. */
  async hashOf({ start, end }: Span): Promise<Hash> {
    const size = end - start;
    const level = Math.log2(size);
    if (Number.isInteger(level)) return this.#node(level, start / size);
    const middle = start + leftSize(size);
    return nodeHash(await this.hashOf({ start, end: middle }), await this.hashOf({ start: middle, end }));
  }

  /** The hash of a full subtree: the `at`-th of those with 2^level leaves. */
  async #node(level: number, at: number): Promise<Hash> {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const width = 2 ** (level % TILE_HEIGHT);
    const first = at * width;
    const index = Math.floor(first / TILE_WIDTH);
    const tile = await this.#tile(tileLevel, index);
    return rootOf(hashesIn(tile).slice(first % TILE_WIDTH, (first % TILE_WIDTH) + width));
  }

  #tile(level: number, index: number): Promise<Uint8Array> {
    const name = `${String(level)}/${String(index)}`;
    const width = Math.min(TILE_WIDTH, widthAt(level, this.size) - index * TILE_WIDTH);
    const tile = this.#tiles.get(name) ?? this.read(level, index, width);
    this.#tiles.set(name, tile);
    return tile;
  }
}

export function hashesIn(tile: Uint8Array): Hash[] {
  return Array.from({ length: Math.floor(tile.length / HASH_BYTES) }, (_, at) =>
    tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** The root over hashes of leaves, or of full subtrees of one size; of at least one. */
export function rootOf(hashes: readonly Hash[]): Hash {
  const [first = emptyRoot()] = hashes;
  if (hashes.length < 2) return first;
  const middle = leftSize(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, middle)), rootOf(hashes.slice(middle)));
}
