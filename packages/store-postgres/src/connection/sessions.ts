/** Session settings applied to connections before use. */
import type { Statement } from './statement.js';

/**
 * Applied to connections whose statements notify: the database serializes such commits, so they should not also wait for
 * each other's flush.
 */
export const unflushed = `set_config('synchronous_commit', 'off', false)`;

/** A `select` that applies the settings the server has; protocol-compatible servers may lack some. */
const settings = (values: Readonly<Record<string, string>>): string =>
  `select set_config(s.name, w.value, false) from pg_catalog.pg_settings s
 join (values ${pairs(values)}) as w (name, value) on w.name = s.name`;

const pairs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map((pair) => `(${pair.map((text) => `'${text}'`).join(', ')})`)
    .join(', ');

/**
 * Key lookups use one generic plan: otherwise the database re-plans every run, since a list may be shorter than it assumes.
 * Only index scans are allowed, so that the plan is not one for a table that is still small. Nor are sorts: there, an index
 * on another column whose rows are then sorted can seem cheaper than the key. What has to be sorted still is, at a price
 * that must not make the server compile the statement.
 */
const byKeys = {
  plan_cache_mode: 'force_generic_plan',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
  jit: 'off',
};

/** Snapshot isolation: a commit fails if a concurrent one changed what it read. Compare-and-set relies on this. */
export const commitSession = [
  settings(byKeys),
  'set session characteristics as transaction isolation level repeatable read',
].join(';\n');

/** Whether the transaction is still the one in which host work began. */
const HOST_MARK = 'blockwork.host_work';
const hostTimeouts = ['statement_timeout', 'lock_timeout'].map((name) => `('${name}', $2)`);
const hostSettings = [...hostTimeouts, `('idle_in_transaction_session_timeout', $2)`].join(', ');
const keyNames = Object.keys(byKeys)
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * For the rest of a transaction, statements of the program: planned as in a session of its own, and ended after `ms`.
 * `mark` identifies the transaction.
 */
export const forHost = (mark: string, ms: number): Statement => ({
  text: `select current_user as "role", set_config('${HOST_MARK}', $1, true), set_config(s.name, coalesce(t.value, s.reset_val), true)
 from pg_catalog.pg_settings s left join (values ${hostSettings}) as t (name, value) on t.name = s.name
 where t.name is not null or s.name in (${keyNames})`,
  values: [mark, `${ms}ms`],
});

/** How the transaction stands before and after statements of the program. */
export interface HostState {
  readonly role: string;
  /** `off` if the store can write. */
  readonly readOnly?: string;
}

/**
 * For the commit that follows statements of the program: planned and durable as ever. Fails if it is not in the same
 * transaction any more.
 */
export const afterHost = (mark: string): Statement => ({
  text: `select current_user as "role", current_setting('transaction_read_only') as "readOnly",
 1 / (case when current_setting('${HOST_MARK}', true) = $1 then 1 else 0 end), set_config(s.name, coalesce(w.value, s.reset_val), true)
 from pg_catalog.pg_settings s left join (values ${pairs(byKeys)}) as w (name, value) on w.name = s.name
 where w.name is not null or s.name in ('statement_timeout', 'synchronous_commit')`,
  values: [mark],
});

/** Undoes what statements of the program have left in a session. */
export const cleanSession = [
  ...['close all', 'unlisten *', 'discard temp', 'select pg_advisory_unlock_all()'],
  ...['reset session authorization', 'reset all', commitSession],
].join(';\n');

/** Custom plans for the rest of a transaction: for joins, a generic plan may be one for small tables. */
export const planEachTime: Statement = {
  text: `select set_config('plan_cache_mode', 'force_custom_plan', true) where current_setting('plan_cache_mode', true) is not null`,
  values: [],
};
