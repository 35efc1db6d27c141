/** What follows from the changes of a group of units, and is written with them: worked out once for all of them. */
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import type { RecordKind } from '../records/index.js';
import { CachedReader } from './cache/cached-reader.js';
import type { RecordCaches } from './cache/record-caches.js';
import { isPolicyKey } from './revision-keys.js';
import type { RecordReader } from './unit-of-work.js';

export interface GroupCompletion {
  /** The kinds of the records it writes. A unit that reads one of them waits until all before it are durable. */
  readonly kinds: ReadonlySet<RecordKind>;
  /**
   * Resolves with the change sets, in their order, each with what is to be written in addition. `below` shows the store
   * without them. It may be called again for some of the same change sets, which it must not change.
   */
  complete(changeSets: readonly ChangeSet[], below: Pick<RecordReader, 'get'>): Promise<readonly ChangeSet[]>;
}

interface CompletionDeps {
  readonly store: PolicyStore;
  readonly caches?: RecordCaches | null;
  readonly completion?: GroupCompletion;
}

export interface CompletedGroup {
  readonly changeSets: readonly ChangeSet[];
  /** Called once the group is written: what was read for it is then known to be of the revisions it began with. */
  readonly confirmReads: () => void;
}

/** Read is the store as it is before the group is written. */
export async function completed(
  { store, caches, completion }: CompletionDeps,
  changeSets: readonly ChangeSet[],
): Promise<CompletedGroup> {
  const unread = { changeSets, confirmReads: (): void => undefined };
  const [first] = changeSets;
  if (completion === undefined || first === undefined) return unread;
  const [[key, revision] = [], ...others] = Object.entries(first.expect);
  if (!caches || key === undefined || revision === undefined || others.length > 0 || !isPolicyKey(key))
    return { ...unread, changeSets: await completion.complete(changeSets, store) };
  const reader = new CachedReader({ store, caches, policyId: key, revision, history: first.history, isForUnit: true });
  return {
    changeSets: await completion.complete(changeSets, reader),
    confirmReads: () => reader.confirmReads(),
  };
}
