/** Takes over a change set from its caller. */
import { BlockworkError } from '../../errors.js';
import type { Change, ChangeSet } from '../../ports/index.js';
import { cloneJson } from '../../records/index.js';

/** A copy that shares nothing with the original. Throws `INTERNAL` for a record whose `id` is not a text. */
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
