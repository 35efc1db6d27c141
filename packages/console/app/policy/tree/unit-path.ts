/** The path of a unit of work through the blocks, from its journal entry. */
import type { JournalEntry } from '../../journal/entry.js';

export interface Hop {
  readonly source: string;
  readonly target: string;
}

export interface UnitPath {
  readonly entry: JournalEntry;
  /** In order, without hops from a block to itself. */
  readonly hops: readonly Hop[];
  /** By tag: the numbers of the steps that reached the block, from 1. */
  readonly steps: ReadonlyMap<string, readonly number[]>;
}

export function pathOf(entry: JournalEntry): UnitPath {
  const hops = entry.events.filter(({ source, target }) => source !== target);
  const first = 'tag' in entry.cause && typeof entry.cause.tag === 'string' ? entry.cause.tag : hops[0]?.source;
  const steps = new Map<string, number[]>();
  const reach = (tag: string, step: number): void => {
    steps.set(tag, [...(steps.get(tag) ?? []), step]);
  };
  if (first !== undefined) reach(first, 1);
  hops.forEach(({ target }, at) => {
    reach(target, at + 2);
  });
  return { entry, hops, steps };
}

/** The blocks in the order reached, without immediate repetitions. */
export function tagsOf({ hops, steps }: UnitPath): readonly string[] {
  const tags = hops[0] === undefined ? [...steps.keys()] : [hops[0].source, ...hops.map(({ target }) => target)];
  return tags.filter((tag, at) => tag !== tags[at - 1]);
}

/** The path of a user's last send. `entries` are newest first. */
export function lastPathOf(entries: readonly JournalEntry[], did: string): UnitPath | undefined {
  const entry = entries.find(({ cause }) => cause.type === 'send' && cause.did === did);
  return entry && pathOf(entry);
}

export const entryIdOf = (revision: number): string => String(revision).padStart(12, '0');
