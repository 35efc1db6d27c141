/** Copies change sets that are not final, so that callers can reuse theirs. */
import { BlockworkError } from '../../errors.js';
import type { Change, ChangeSet } from '../../ports/index.js';
import { cloneJson } from '../../records/index.js';

/** A deep copy; the change set itself if it is final. Throws `INTERNAL` for a record whose `id` is not a string. */
export function copyChangeSet(changeSet: ChangeSet): ChangeSet {
  const { expect, changes, isFinal = false } = changeSet;
  for (const change of changes) assertId(change);
  return isFinal ? changeSet : { expect: cloneJson(expect), changes: changes.map((change) => cloneJson(change)) };
}

function assertId(change: Change): void {
  const id: unknown = change.op === 'put' ? change.value.id : change.id;
  if (typeof id === 'string') return;
  const cause = new TypeError(`A record of the kind "${change.kind}" needs a text as its id, not ${typeof id}.`);
  throw new BlockworkError('INTERNAL', { cause });
}
