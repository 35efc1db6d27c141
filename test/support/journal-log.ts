/** What is wrong with the log of a journal in a store, computed plainly from the entries and the definition of RFC 6962. */
import { createHash } from 'node:crypto';
import type { JournalEntry, PolicyStore } from '@blockwork/core';

/** Sentences; none if the log has exactly the entries of the journal since it began, in their order. */
export async function journalLogProblems(store: PolicyStore, policyId: string): Promise<string[]> {
  const tree = await store.get('journal-tree', policyId, policyId);
  const entries = await journalEntries(store, policyId);
  if (tree === undefined) return entries.length === 0 ? [] : ['The journal has no log.'];
  const covered = entries.filter(({ id }) => id >= tree.first);
  const leaves = covered.map(plainLeaf);
  const tiles = await tilesOf(store, policyId);
  const logged = [...[...tiles.values()].flatMap((tile) => tile.entries ?? []), ...tree.entries];
  const stored = [...hashesAt(tiles, 0), ...split(tree.hashes)];
  const problems: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown): void => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) problems.push(`${what} ${JSON.stringify(actual)}`);
  };
  compare('Number of leaves:', tree.size, covered.length);
  const ids = covered.map(({ id }) => id);
  compare('Entries:', logged, ids);
  compare('Leaves:', stored, leaves.map(hex));
  for (let [level, width] = [1, 256]; width <= leaves.length; level += 1, width *= 256) {
    const roots = Array.from({ length: Math.floor(leaves.length / width) }, (_, at) =>
      hex(plainRoot(leaves.slice(at * width, (at + 1) * width))),
    );
    compare(`Level ${String(level)}:`, hashesAt(tiles, level), roots);
  }
  return problems;
}

/** Of the journal and its archive, in order. */
export async function journalEntries(store: PolicyStore, policyId: string): Promise<JournalEntry[]> {
  const archives = await store.find('journal-archive', policyId);
  const entries = [...archives.flatMap((archive) => archive.entries), ...(await store.find('journal', policyId))];
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function plainLeaf({ id, at, documents, effects, ...course }: JournalEntry): Buffer {
  const digest = (value: unknown): string => sha256(canonical(value)).toString('hex');
  const leaf = { id, at, outcome: digest({ documents, effects }), course: digest(course) };
  return sha256('\x00', JSON.stringify(leaf));
}

/** MTH of RFC 6962, section 2.1, over hashes of leaves. */
export function plainRoot(leaves: readonly Buffer[]): Buffer {
  const [first = sha256()] = leaves;
  if (leaves.length < 2) return first;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256('\x01', plainRoot(leaves.slice(0, k)), plainRoot(leaves.slice(k)));
}

type Tiles = ReadonlyMap<string, { readonly hashes: string; readonly entries?: readonly string[] }>;

async function tilesOf(store: PolicyStore, policyId: string): Promise<Tiles> {
  const tiles = await store.find('journal-tile', policyId);
  return new Map(tiles.sort((a, b) => (a.id < b.id ? -1 : 1)).map((tile) => [tile.id, tile]));
}

const hashesAt = (tiles: Tiles, level: number): string[] =>
  [...tiles].filter(([id]) => id.startsWith(`${String(level)}/`)).flatMap(([, tile]) => split(tile.hashes));

const split = (hashes: string): string[] => Buffer.from(hashes, 'base64').toString('hex').match(/.{64}/g) ?? [];

const hex = (hash: Buffer): string => hash.toString('hex');

function sha256(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Canonical JSON. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
