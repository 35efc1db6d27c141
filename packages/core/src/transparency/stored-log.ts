/** The log of a policy as a store has it. */
import type { JournalTree } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';
import { tileId } from './append.js';
import { HASH_BYTES, type Hash } from './merkle.js';
import { TILE_WIDTH, TiledTree, widthAt } from './tiles.js';

type LogRecords = Pick<RecordReader, 'get'>;

/** The log as it was when it was opened: what is appended later is not seen. */
export class StoredLog {
  readonly #records: LogRecords;
  readonly #policyId: string;
  readonly #state: JournalTree;
  readonly tree: TiledTree;

  private constructor(records: LogRecords, policyId: string, state: JournalTree) {
    this.#records = records;
    this.#policyId = policyId;
    this.#state = state;
    this.tree = new TiledTree(state.size, (level, index, width) => this.hashes(level, index, width));
  }

  /** `undefined` for a policy that has no log yet. */
  static async open(records: LogRecords, policyId: string): Promise<StoredLog | undefined> {
    const state = await records.get('journal-tree', policyId, policyId);
    return state && new StoredLog(records, policyId, state);
  }

  get size(): number {
    return this.#state.size;
  }

  /** The id of the first entry. A log that was begun anew has another one. */
  get first(): string {
    return this.#state.first;
  }

  /** Names the log in its checkpoints. */
  get origin(): string {
    return `blockwork/${encodeURIComponent(this.#policyId)}/${this.first}`;
  }

  /** Hashes at a level of tiles. */
  width(level: number): number {
    return widthAt(level, this.size);
  }

  /** So many hashes of a tile, or as many as there are. */
  async hashes(level: number, index: number, width: number): Promise<Uint8Array> {
    const tile = await this.#records.get('journal-tile', this.#policyId, tileId(level, index));
    const hashes = Buffer.from(tile?.hashes ?? '', 'base64');
    const own = level === 0 ? this.#ofTail(index, hashes.length / HASH_BYTES) : 0;
    const tail = Buffer.from(this.#state.hashes, 'base64').subarray(own * HASH_BYTES);
    return (level === 0 ? Buffer.concat([hashes, tail]) : hashes).subarray(0, width * HASH_BYTES);
  }

  /** The ids of the entries whose leaves are in a tile of level 0. */
  async entries(index: number, width: number): Promise<string[]> {
    const tile = await this.#records.get('journal-tile', this.#policyId, tileId(0, index));
    const entries = tile?.entries ?? [];
    return [...entries, ...this.#state.entries.slice(this.#ofTail(index, entries.length))].slice(0, width);
  }

  /** The position of an entry; `undefined` if the log has none of that id. */
  async indexOf(entryId: string): Promise<number | undefined> {
    let [low, high] = [0, Math.ceil(this.size / TILE_WIDTH)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const entries = await this.entries(middle, this.#widthOf(middle));
      const at = entries.indexOf(entryId);
      if (at >= 0) return middle * TILE_WIDTH + at;
      if ((entries[0] ?? '') > entryId) high = middle;
      else low = middle + 1;
    }
    return undefined;
  }

  async leafHash(index: number): Promise<Hash> {
    return this.tree.hashOf({ start: index, end: index + 1 });
  }

  #widthOf(index: number): number {
    return Math.min(TILE_WIDTH, this.size - index * TILE_WIDTH);
  }

  /** How many leaves of the tail to skip behind `stored` ones of a tile: those it has taken over since, or all. */
  #ofTail(index: number, stored: number): number {
    const { size, entries } = this.#state;
    const behind = index * TILE_WIDTH + stored - (size - entries.length);
    return behind < 0 ? entries.length : behind;
  }
}
