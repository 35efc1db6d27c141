/** The history of a draft: the latest edits, oldest first. */
import { lastRevisionOf } from '../catalog/index.js';
import { BlockworkError } from '../errors.js';
import { equalTo, jsonBytes, type PolicyEdit } from '../records/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';

export interface HistoryLimits {
  /** Edits of one draft that are kept. */
  readonly edits: number;
  /** Bytes of the edits of one draft. */
  readonly editBytes: number;
}

/** Edits read at once to be removed: more than one edit can displace, but for a very large one. */
const BATCH = 32;

/** An edit that is not in the history yet. */
export type NewEdit = Omit<PolicyEdit, 'count' | 'bytes' | 'total'>;

export async function editNamed(records: RecordReader, policyId: string, id: string): Promise<PolicyEdit> {
  const edit = await records.get('policy-edit', policyId, id);
  if (edit === undefined) throw new BlockworkError('EDIT_UNKNOWN', { facts: { policyId, id } });
  return edit;
}

export async function editWithKey(
  records: RecordReader,
  policyId: string,
  key: string,
): Promise<PolicyEdit | undefined> {
  const [edit] = await records.find('policy-edit', policyId, { where: equalTo('key', key), limit: 1 });
  return edit;
}

/**
 * Every edit that led from one revision to the other, oldest first; `null` if the history does not have them all, or the
 * definition was changed by something else.
 */
export async function editsBetween(
  records: RecordReader,
  policyId: string,
  base: string,
  now: string,
): Promise<PolicyEdit[] | null> {
  if (base === now) return [];
  const find = (op: 'gt' | 'lte', direction: 'asc' | 'desc', limit?: number): Promise<PolicyEdit[]> =>
    records.find('policy-edit', policyId, {
      where: { path: 'id', op, value: base },
      order: { path: 'id', direction },
      ...(limit !== undefined && { limit }),
    });
  const [[before], edits] = await Promise.all([find('lte', 'desc', 1), find('gt', 'asc')]);
  let at = before !== undefined && lastRevisionOf(before) > base ? lastRevisionOf(before) : base;
  for (const edit of edits) {
    if (edit.base !== at) return null;
    at = lastRevisionOf(edit);
  }
  return at === now ? edits : null;
}

/** Adds an edit, and removes the oldest ones above the limits. */
export async function addToHistory(
  unit: UnitOfWork,
  policyId: string,
  edit: NewEdit,
  limits: HistoryLimits,
): Promise<PolicyEdit> {
  const [last] = await unit.find('policy-edit', policyId, { order: { path: 'id', direction: 'desc' }, limit: 1 });
  const count = (last?.count ?? 0) + 1;
  const bytes = jsonBytes(edit);
  const total = (last?.total ?? 0) + bytes;
  for (;;) {
    const oldest = await unit.find('policy-edit', policyId, { order: { path: 'id', direction: 'asc' }, limit: BATCH });
    const displaced = oldest.filter(
      (each) => count - each.count >= limits.edits || total - each.total + each.bytes > limits.editBytes,
    );
    for (const { id } of displaced) unit.delete('policy-edit', policyId, id);
    if (displaced.length < BATCH) break;
  }
  const added = { ...edit, count, bytes, total };
  unit.put('policy-edit', policyId, added);
  return added;
}
