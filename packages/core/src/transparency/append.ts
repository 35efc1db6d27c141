/** Appends the journal entries of a group of units to the logs of their policies, in the same commit. */
import type { Change, ChangeSet } from '../ports/index.js';
import { cloneJson, type JournalEntry, type JournalTile, type JournalTree } from '../records/index.js';
import { revisionKeys, type GroupCompletion, type RecordReader } from '../transactions/index.js';
import { leafData, leafOf } from './leaf.js';
import { HASH_BYTES, leafHash } from './merkle.js';
import { hashesIn, rootOf, TILE_WIDTH } from './tiles.js';

/**
 * The newest leaves are in the record of the tree, up to so many; then they become part of a tile. So a group rewrites a short
 * record, and a tile only now and then.
 */
const TAIL_WIDTH = 16;

const kinds = new Set(['journal-tree', 'journal-tile'] as const);

/** Each group reads and writes the tree of a policy once. */
export const logCompletion: GroupCompletion = { kinds, complete: withLeaves };

async function withLeaves(
  changeSets: readonly ChangeSet[],
  below: Pick<RecordReader, 'get'>,
): Promise<readonly ChangeSet[]> {
  const completed = [...changeSets];
  const logs = new Map<string, GrowingLog>();
  const logOf = (policyId: string): GrowingLog => {
    let log = logs.get(policyId);
    if (log === undefined) logs.set(policyId, (log = new GrowingLog(policyId, below)));
    return log;
  };
  for (const [at, { expect, changes }] of changeSets.entries()) {
    const own: { readonly log: GrowingLog; readonly entry: JournalEntry }[] = [];
    for (const change of changes) {
      const { kind, op, partition } = change;
      if (kind === 'journal-tree' || kind === 'journal-tile') logOf(partition).replace(change, completed);
      // Others are entries that a savepoint brings back, with their leaves.
      else if (kind === 'journal' && op === 'put' && isNext(change.value, expect[revisionKeys.policy.of(partition)]))
        own.push({ log: logOf(partition), entry: change.value });
    }
    for (const { log, entry } of own) await log.append(entry, at);
  }
  for (const log of logs.values()) log.writeTo(completed);
  return completed;
}

const isNext = ({ id }: JournalEntry, revision = 0): boolean => Number(id) === revision + 1;

type LogKind = 'journal-tree' | 'journal-tile';
type LogChange = Extract<Change, { kind: LogKind }>;

/** The log of one policy as the units of a group leave it, one after another. */
class GrowingLog {
  /** `null`: deleted; `undefined`: as it is below. */
  #tree: JournalTree | null | undefined;
  readonly #tiles = new Map<string, JournalTile | null>();
  /** What is to be written, by kind and id. */
  readonly #grown = new Map<string, LogChange>();
  /** The last unit whose entry was appended. */
  #at = 0;

  constructor(
    private readonly policyId: string,
    private readonly below: Pick<RecordReader, 'get'>,
  ) {}

  /** Follows a unit that writes the log itself: a trial is emptied, or goes back to a savepoint. */
  replace(change: LogChange, completed: ChangeSet[]): void {
    this.writeTo(completed);
    if (change.kind === 'journal-tree') this.#tree = change.op === 'put' ? cloneJson(change.value) : null;
    else this.#tiles.set(idOf(change), change.op === 'put' ? change.value : null);
  }

  async append(entry: JournalEntry, at: number): Promise<void> {
    this.#at = at;
    const { policyId: id, below } = this;
    const present = this.#tree === undefined ? await below.get('journal-tree', id, id) : this.#tree;
    const tree = present ?? { id, first: entry.id, size: 0, entries: [], hashes: '' };
    const hash = leafHash(leafData(leafOf(entry)));
    tree.size += 1;
    tree.entries.push(entry.id);
    tree.hashes = joined(tree.hashes, hash);
    if (tree.entries.length === TAIL_WIDTH) {
      await this.#extendTile(tree);
      tree.entries = [];
      tree.hashes = '';
    }
    this.#tree = tree;
    this.#grow({ op: 'put', kind: 'journal-tree', partition: this.policyId, value: tree });
  }

  /** Adds what has grown to the unit of the last entry, in place of what that writes there itself. */
  writeTo(completed: ChangeSet[]): void {
    const changeSet = completed[this.#at];
    if (this.#grown.size === 0 || changeSet === undefined) return;
    const others = changeSet.changes.filter(
      (change) => change.partition !== this.policyId || !this.#grown.has(addressOf(change)),
    );
    completed[this.#at] = { ...changeSet, changes: [...others, ...this.#grown.values()] };
    this.#grown.clear();
  }

  /** Adds the tail to the tile of its leaves, and the hash of each tile that is full now to the one above. */
  async #extendTile(tree: JournalTree): Promise<void> {
    let index = Math.floor((tree.size - 1) / TILE_WIDTH);
    let { hashes } = tree;
    for (let level = 0; hashes !== ''; level += 1) {
      const id = tileId(level, index);
      const tile = await this.#tile(id);
      const extended = joined(tile?.hashes ?? '', Buffer.from(hashes, 'base64'));
      const entries = level === 0 ? { entries: [...(tile?.entries ?? []), ...tree.entries] } : {};
      const value = { id, ...entries, hashes: extended };
      this.#tiles.set(id, value);
      this.#grow({ op: 'put', kind: 'journal-tile', partition: this.policyId, value });
      const bytes = Buffer.from(extended, 'base64');
      const isFull = bytes.length === TILE_WIDTH * HASH_BYTES;
      hashes = isFull ? Buffer.from(rootOf(hashesIn(bytes))).toString('base64') : '';
      index = Math.floor(index / TILE_WIDTH);
    }
  }

  async #tile(id: string): Promise<JournalTile | null | undefined> {
    const tile = this.#tiles.get(id);
    return tile === undefined ? this.below.get('journal-tile', this.policyId, id) : tile;
  }

  #grow(change: LogChange): void {
    this.#grown.set(addressOf(change), change);
  }
}

/** Indexes in twelve digits, so that ids sort. */
export const tileId = (level: number, index: number): string => `${String(level)}/${String(index).padStart(12, '0')}`;

const idOf = (change: Change): string => (change.op === 'put' ? change.value.id : change.id);

const addressOf = (change: Change): string => `${change.kind} ${idOf(change)}`;

const joined = (hashes: string, more: Uint8Array): string =>
  Buffer.concat([Buffer.from(hashes, 'base64'), more]).toString('base64');
