/** The last unit that touched each block, from the journal and from later events. */
import type { JournalEntry } from '../../journal/entry.js';
import type { Touch } from '../../live/live-store.js';

export type Touches = ReadonlyMap<string, Touch>;

/** By tag. `entries` are newest first. */
export function touchesIn(entries: readonly JournalEntry[]): Map<string, Touch> {
  const found = new Map<string, Touch>();
  for (const { id, at, cause, events, warnings } of entries) {
    const touch = { revision: Number(id), at, cause: cause.type };
    const tags = [
      ...('tag' in cause && typeof cause.tag === 'string' ? [cause.tag] : []),
      ...events.flatMap(({ source, target }) => [source, target]),
      ...warnings.map(({ tag }) => tag),
    ];
    for (const tag of tags) if (!found.has(tag)) found.set(tag, touch);
  }
  return found;
}

/** The later touch of each block. */
export function latestOf(one: Touches | undefined, other: Touches | undefined): Touches {
  const both = new Map(one);
  for (const [tag, touch] of other ?? []) {
    const known = both.get(tag);
    if (known === undefined || known.revision < touch.revision) both.set(tag, touch);
  }
  return both;
}
