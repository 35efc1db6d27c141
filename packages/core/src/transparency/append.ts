/** Appends the journal entry of a unit of work to the log of its policy, in the same unit. */
import type { JournalEntry, JournalTree } from '../records/index.js';
import { revisionKeys } from '../transactions/index.js';
import type { UnitOfWork } from '../transactions/index.js';
import { leafData, leafOf } from './leaf.js';
import { leafHash } from './merkle.js';
import { hashesIn, rootOf, TILE_WIDTH } from './tiles.js';

/**
 * The newest leaves are in the record of the tree, up to so many; then they become part of a tile. So a unit rewrites a short
 * record, and a tile only now and then.
 */
const TAIL_WIDTH = 16;

/** Called last: with what a unit writes afterwards, its entry and its leaf could differ. */
export async function appendToLog(unit: UnitOfWork): Promise<void> {
  const own: { policyId: string; entry: JournalEntry }[] = [];
  for (const change of unit.changes) {
    if (change.kind !== 'journal' || change.op !== 'put') continue;
    const { partition: policyId, value: entry } = change;
    // Others are entries that a savepoint brings back, with their leaves.
    if (Number(entry.id) === unit.expected(revisionKeys.policy.of(policyId)) + 1) own.push({ policyId, entry });
  }
  for (const { policyId, entry } of own) await append(unit, policyId, entry);
}

async function append(unit: UnitOfWork, policyId: string, entry: JournalEntry): Promise<void> {
  const tree: JournalTree = (await unit.get('journal-tree', policyId, policyId)) ?? {
    id: policyId,
    first: entry.id,
    size: 0,
    entries: [],
    hashes: '',
  };
  const hash = leafHash(leafData(leafOf(entry)));
  tree.size += 1;
  tree.entries.push(entry.id);
  tree.hashes = joined(tree.hashes, hash);
  if (tree.entries.length === TAIL_WIDTH) {
    await extendTile(unit, policyId, tree);
    tree.entries = [];
    tree.hashes = '';
  }
  unit.putOwned('journal-tree', policyId, tree);
}

/** Adds the tail to the tile of its leaves, and the hash of each tile that is full now to the one above. */
async function extendTile(unit: UnitOfWork, policyId: string, tree: JournalTree): Promise<void> {
  let index = Math.floor((tree.size - 1) / TILE_WIDTH);
  let { hashes } = tree;
  for (let level = 0; hashes !== ''; level += 1) {
    const id = tileId(level, index);
    const tile = await unit.get('journal-tile', policyId, id);
    const extended = joined(tile?.hashes ?? '', Buffer.from(hashes, 'base64'));
    const entries = level === 0 ? { entries: [...(tile?.entries ?? []), ...tree.entries] } : {};
    unit.putOwned('journal-tile', policyId, { id, ...entries, hashes: extended });
    const all = hashesIn(Buffer.from(extended, 'base64'));
    hashes = all.length === TILE_WIDTH ? Buffer.from(rootOf(all)).toString('base64') : '';
    index = Math.floor(index / TILE_WIDTH);
  }
}

/** Indexes in twelve digits, so that ids sort. */
export const tileId = (level: number, index: number): string => `${String(level)}/${String(index).padStart(12, '0')}`;

const joined = (hashes: string, more: Uint8Array): string =>
  Buffer.concat([Buffer.from(hashes, 'base64'), more]).toString('base64');
