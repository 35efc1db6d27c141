/** The latest unit that reached each block, from the journal and from later events. */
import type { JournalEntry } from '../../journal/entry.js';
import type { UnitFacts } from '../../live/live-store.js';

export type LatestUnits = ReadonlyMap<string, UnitFacts>;

/** By tag. `entries` are newest first. */
export function latestUnitsIn(entries: readonly JournalEntry[]): Map<string, UnitFacts> {
  const latestUnits = new Map<string, UnitFacts>();
  for (const { id, at, cause, events, warnings } of entries) {
    const unit = { revision: Number(id), at, cause: cause.type };
    const tags = [
      ...('tag' in cause && typeof cause.tag === 'string' ? [cause.tag] : []),
      ...events.flatMap(({ source, target }) => [source, target]),
      ...warnings.map(({ tag }) => tag),
    ];
    for (const tag of tags) if (!latestUnits.has(tag)) latestUnits.set(tag, unit);
  }
  return latestUnits;
}

/** The later unit of each block. */
export function latestOf(one: LatestUnits | undefined, other: LatestUnits | undefined): LatestUnits {
  const both = new Map(one);
  for (const [tag, unit] of other ?? []) {
    const latest = both.get(tag);
    if (latest === undefined || latest.revision < unit.revision) both.set(tag, unit);
  }
  return both;
}
