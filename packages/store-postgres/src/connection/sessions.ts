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
 join (values ${Object.entries(values)
   .map((pair) => `(${pair.map((text) => `'${text}'`).join(', ')})`)
   .join(', ')}) as w (name, value) on w.name = s.name`;

/**
 * Key lookups use one generic plan: otherwise the database re-plans every run, since a list may be shorter than it assumes.
 * Only index scans are allowed, so that the plan is not one for a table that is still small.
 */
const byKeys = {
  plan_cache_mode: 'force_generic_plan',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
};

/** Snapshot isolation: a commit fails if a concurrent one changed what it read. Compare-and-set relies on this. */
export const commitSession = [
  settings(byKeys),
  'set session characteristics as transaction isolation level repeatable read',
].join(';\n');

/** Custom plans for the rest of a transaction: for joins, a generic plan may be one for small tables. */
export const planEachTime: Statement = {
  text: `select set_config('plan_cache_mode', 'force_custom_plan', true) where current_setting('plan_cache_mode', true) is not null`,
  values: [],
};
