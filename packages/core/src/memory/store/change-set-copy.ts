/** Copies change sets, so that callers can reuse theirs. */
import { BlockworkError } from '../../errors.js';
import type { Change, ChangeSet } from '../../ports/index.js';
import { cloneJson } from '../../records/index.js';

/** A deep copy. Throws `INTERNAL` for a record whose `id` is not a string. */
export const copyChangeSet = ({ expect, changes }: ChangeSet): ChangeSet => ({
  expect: cloneJson(expect),
  changes: changes.map(copyChange),
});

function copyChange(change: Change): Change {
  const id: unknown = change.op === 'put' ? change.value.id : change.id;
  if (typeof id === 'string') return cloneJson(change);
  const cause = new TypeError(`A record of the kind "${change.kind}" needs a text as its id, not ${typeof id}.`);
  throw new BlockworkError('INTERNAL', { cause });
}
