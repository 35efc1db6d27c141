/** What became of the entries that are known from earlier: which were changed, removed, moved, or have others between them. */
import type { Findings } from '../report/report.js';
import { readLeaf } from './leaf.js';
import { leavesIn, TILE_WIDTH, tilePath, type LogFiles } from './tiles.js';

/** A state of a log: its files, and the hashes of its leaves. */
export interface State {
  readonly files: LogFiles;
  readonly hashes: readonly string[];
}

/** Findings that name an entry; those beyond are counted. */
const NAMED = 100;

/** What is missing at the end of the present log is not told of here. */
export async function checkPlaces(earlier: State, now: State, findings: Findings): Promise<void> {
  const [known, present] = [new Entries(earlier), new Entries(now)];
  const kept = known.hashes.flatMap((hash, from) => {
    const at = present.placeOf(hash);
    return at === undefined ? [] : [{ from, at }];
  });
  const inOrder = longestRise(kept.map(({ at }) => at));
  const moved = kept.filter((_, place) => !inOrder.has(place));
  const lost = [...known.hashes.slice(0, present.hashes.length).keys()].filter(
    (from) => present.placeOf(known.hashes[from] ?? '') === undefined,
  );
  if (inOrder.size > 0) findings.check('log', true, '');
  const problems = [
    ...(await fatesOf(lost, known, present, kept.at(-1)?.at ?? -1)),
    ...moved.map(({ from, at }) => [from, `was moved since: it is the entry ${String(at)} now`] as const),
  ].sort(([one], [other]) => one - other);
  for (const [place, fate] of problems.slice(0, NAMED)) {
    const entries = fate.startsWith('was put') ? present : known;
    findings.fail('log', `${await entries.nameOf(place)} ${fate}`);
  }
  const others = problems.length - NAMED;
  if (others > 0) findings.fail('log', `${String(others)} more entries are not as they were earlier`);
}

/** `last`: the place of the newest known entry that is still there, in the present log. */
async function fatesOf(
  lost: readonly number[],
  known: Entries,
  present: Entries,
  last: number,
): Promise<(readonly [number, string])[]> {
  const fates: (readonly [number, string])[] = [];
  const others = new Set<number>();
  const byId = new Map<string, number>();
  for (const at of present.hashes.slice(0, Math.max(last + 1, known.hashes.length)).keys()) {
    if (known.placeOf(present.hashes[at] ?? '') !== undefined) continue;
    others.add(at);
    const id = await present.idAt(at);
    if (id !== undefined) byId.set(id, at);
  }
  for (const from of lost) {
    const id = await known.idAt(from);
    const instead = id === undefined ? from : byId.get(id);
    const isReplaced = instead !== undefined && others.delete(instead);
    if (!isReplaced) fates.push([from, 'was removed since']);
    else fates.push([from, id === undefined ? 'is not the one that was there earlier' : 'was changed since']);
  }
  for (const at of others) if (at <= last) fates.push([at, 'was put in since']);
  return fates;
}

class Entries {
  readonly hashes: readonly string[];
  readonly #files: LogFiles;
  readonly #places: ReadonlyMap<string, number>;
  readonly #ids = new Map<number, readonly (string | undefined)[]>();

  constructor({ files, hashes }: State) {
    this.hashes = hashes;
    this.#files = files;
    this.#places = new Map(hashes.map((hash, at) => [hash, at]));
  }

  placeOf(hash: string): number | undefined {
    return this.#places.get(hash);
  }

  async nameOf(at: number): Promise<string> {
    const id = await this.idAt(at);
    return `the entry ${String(at)}${id === undefined ? '' : ` (${id})`}`;
  }

  /** `undefined` if its leaf is not there. */
  async idAt(at: number): Promise<string | undefined> {
    const tile = Math.floor(at / TILE_WIDTH);
    const ids = this.#ids.get(tile) ?? (await this.#read(tile));
    this.#ids.set(tile, ids);
    return ids[at % TILE_WIDTH];
  }

  async #read(tile: number): Promise<(string | undefined)[]> {
    const width = Math.min(TILE_WIDTH, this.hashes.length - tile * TILE_WIDTH);
    const bundle = await this.#files.read(tilePath('entries', tile, width));
    return ((bundle && leavesIn(bundle)) ?? []).map((leaf) => readLeaf(leaf)?.id);
  }
}

/** The positions of a longest part of the list that rises. */
function longestRise(values: readonly number[]): ReadonlySet<number> {
  /** By length: the position of the smallest value with which a rise of so many ends. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [place, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1]);
    ends[low] = place;
  }
  const rise = new Set<number>();
  for (let place = ends.at(-1); place !== undefined; place = before[place]) rise.add(place);
  return rise;
}
