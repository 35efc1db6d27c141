/** Which finished units are written together, and how: host work is written with its unit alone, under a lock. */
import { BlockworkError } from '../errors.js';
import type { ChangeSet, HostWork, PolicyStore, RevisionLock } from '../ports/index.js';
import { INSTANCE } from '../records/index.js';
import type { FinishedJob } from './job.js';
import type { Lane } from './revision-keys.js';

export interface GroupPlace {
  readonly store: PolicyStore;
  readonly lane: Lane;
  /** The lock that the units ran under; it ends. */
  readonly lock: RevisionLock | undefined;
}

export const hasHostWork = (jobs: readonly FinishedJob[]): boolean =>
  jobs.some(({ hostWork }) => hostWork !== undefined);

/**
 * Removes the next group from `ready`. Units with host work are alone in theirs, so that a program whose work fails
 * makes no other unit fail.
 */
export function takeGroup(ready: FinishedJob[]): FinishedJob[] {
  const at = ready.findIndex(({ hostWork }) => hostWork !== undefined);
  return ready.splice(0, at < 0 ? ready.length : Math.max(at, 1));
}

/** `work`: the host work of the only unit. Rejects as the commits of the store. */
export async function writeGroup(
  place: GroupPlace,
  changeSets: readonly ChangeSet[],
  work: HostWork | undefined,
): Promise<void> {
  const { store, lock } = place;
  const [only, ...others] = changeSets;
  if (only !== undefined && work !== undefined) await writeWithHost(place, only, work);
  else if (lock !== undefined) await lock.commit(changeSets);
  else if (others.length > 0) await store.commitChain?.(changeSets);
  else if (only !== undefined) await store.commit(only);
}

/**
 * Under a lock of its own if there is none: the program must not begin before it is certain that no other process moves
 * the revisions meanwhile.
 */
async function writeWithHost({ store, lane, lock }: GroupPlace, changeSet: ChangeSet, work: HostWork): Promise<void> {
  const keys = writtenBy(changeSet);
  if (lock !== undefined && keys.every((key) => lock.revisions.has(key))) return lock.commit([changeSet], work);
  await lock?.release();
  const own = await store.lock?.({ queue: lane, keys });
  if (!own) {
    const reason = `the revisions of ${keys.join(', ')} cannot be locked`;
    throw new BlockworkError('STORE_UNAVAILABLE', { facts: { reason } });
  }
  return own.commit([changeSet], work);
}

/** The revision keys that the commit moves: those that it expects, and those of the partitions it writes to. */
const writtenBy = ({ expect, changes }: ChangeSet): string[] => {
  const partitions = changes.map(({ partition }) => partition).filter((partition) => partition !== INSTANCE);
  return [...new Set([...Object.keys(expect), ...partitions])];
};
