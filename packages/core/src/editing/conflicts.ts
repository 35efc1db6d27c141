/** Whether an edit meets others that were made since the revision that its author saw. */
import { BlockworkError } from '../errors.js';
import { walkTree } from '../policy/index.js';
import type { ErrorDetail, PolicyEdit } from '../records/index.js';
import type { Applied } from './operations/applied.js';
import type { PolicyDefinition } from './operations/definition.js';
import { stepsOf, valueAt } from './operations/json-place.js';
import { covers, meets } from './operations/places.js';

/** Longer values are cut in messages. */
const SHOWN = 200;

interface Meeting {
  readonly place: string;
  readonly edit: PolicyEdit;
}

/**
 * Throws `EDIT_CONFLICT` with both values if an operation changes what others changed, or relies on it.
 * @param before the definition that the operations were applied to.
 */
export function assertApart(
  policyId: string,
  base: string,
  before: PolicyDefinition,
  applied: readonly Applied[],
  since: readonly PolicyEdit[],
): void {
  const others = effective(since);
  const details = applied.flatMap((each, at): ErrorDetail[] => {
    const meeting = meetingOf(each, others);
    return meeting === undefined
      ? []
      : [{ path: `/operations/${String(at)}`, message: describe(each, meeting, before) }];
  });
  const [first] = details;
  if (first === undefined) return;
  throw new BlockworkError('EDIT_CONFLICT', {
    facts: { policyId, base: Number(base), reason: first.message },
    details,
  });
}

/** Without those that were undone since, and what undid them. */
function effective(since: readonly PolicyEdit[]): readonly PolicyEdit[] {
  const ids = new Set(since.map(({ id }) => id));
  const cancelled = new Set<string>();
  for (const { id, undoes } of since.toReversed()) {
    if (undoes === undefined || cancelled.has(id) || !ids.has(undoes)) continue;
    cancelled.add(id).add(undoes);
  }
  return since.filter(({ id }) => !cancelled.has(id));
}

function meetingOf({ writes, reads }: Applied, others: readonly PolicyEdit[]): Meeting | undefined {
  for (const edit of others.toReversed()) {
    const place = edit.writes.find(
      (changed) => writes.some((written) => meets(written, changed)) || reads.some((read) => covers(changed, read)),
    );
    if (place !== undefined) return { place, edit };
  }
  return undefined;
}

function describe({ operation }: Applied, { place, edit }: Meeting, before: PolicyDefinition): string {
  const by = `was changed by ${edit.did} at ${edit.at}`;
  const [, id = ''] = stepsOf(place);
  const block = walkTree(before.config).find((each) => each.block.id === id)?.block;
  if (operation.op !== 'setOption' && operation.op !== 'unsetOption') return `${named(place, block?.tag)} ${by}`;
  const theirs = shown(valueAt(block, stepsOf(operation.path)));
  const yours = operation.op === 'setOption' ? `sets ${shown(operation.value)}` : 'removes it';
  return `"${operation.path}" of the block "${block?.tag ?? id}" ${by} and is ${theirs}; this edit ${yours}`;
}

function named(place: string, tag: string | undefined): string {
  const [first = '', name = '', part] = stepsOf(place);
  if (first === 'blocks')
    return part === 'links' ? `this link of the block "${tag ?? name}"` : `the block "${tag ?? name}"`;
  if (first === 'tags') return `the tag "${name}"`;
  return name === '' ? `"${first}"` : `"${name}" of "${first}"`;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'gone' : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
