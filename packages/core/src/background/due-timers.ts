/** Reads the timers that are due next: of all policies together, or policy by policy if that fails. */
import { isBlockworkError } from '../errors.js';
import type { RecordReader } from '../transactions/index.js';
import { policiesIn } from './readable-policies.js';
import { equalTo, INSTANCE, type Condition, type Timer } from '../records/index.js';

export interface FirstTimers {
  /** The earliest ones, in order. */
  readonly timers: readonly Timer[];
  /** Policies whose timers cannot be read, with the error. */
  readonly unreadable: ReadonlyMap<string, unknown>;
}

type Reader = Pick<RecordReader, 'find'>;

const order = { path: 'due', direction: 'asc' } as const;

/** Timers of the skipped policies are not read. Rejects if none can be read. */
export async function firstTimers(
  store: Reader,
  limit: number,
  without: ReadonlySet<string> = new Set(),
): Promise<FirstTimers> {
  const where: Condition = { path: 'policyId', op: 'nin', value: [...without] };
  try {
    const timers = await store.find('timer', INSTANCE, { ...(without.size > 0 && { where }), order, limit });
    return { timers, unreadable: new Map() };
  } catch (error) {
    if (isBlockworkError(error, 'STORE_CLOSED')) throw error;
    return policyByPolicy(store, limit, without, error);
  }
}

/** The earliest timers of one policy. */
export const timersOf = (store: Reader, policyId: string, limit: number): Promise<Timer[]> =>
  store.find('timer', INSTANCE, { where: equalTo('policyId', policyId), order, limit });

/** A damaged row fails every query that meets it, but not queries for other policies. Costs one query per policy. */
async function policyByPolicy(
  store: Reader,
  limit: number,
  without: ReadonlySet<string>,
  failure: unknown,
): Promise<FirstTimers> {
  const timers: Timer[] = [];
  const unreadable = new Map<string, unknown>();
  let readable = 0;
  const { policies, damaged } = await policiesIn(store);
  for (const policyId of [...policies.map(({ id }) => id), ...damaged.keys()]) {
    if (without.has(policyId)) continue;
    try {
      timers.push(...(await timersOf(store, policyId, limit)));
      readable += 1;
    } catch (error) {
      unreadable.set(policyId, error);
    }
  }
  if (readable === 0) throw failure;
  return { timers: timers.sort((one, other) => one.due - other.due).slice(0, limit), unreadable };
}
