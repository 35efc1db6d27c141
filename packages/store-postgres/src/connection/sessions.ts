/** What connections are told before they are used. */
import type { Statement } from './statement.js';

/**
 * Selected once on a connection whose statements notify: the database makes these wait for each other, and none of them has to wait for
 * the flush of another one as well.
 */
export const unflushed = `set_config('synchronous_commit', 'off', false)`;

/** Servers that only speak the protocol may lack some settings: a `select` that sets those that there are. */
const settings = (values: Readonly<Record<string, string>>): string =>
  `select set_config(s.name, w.value, false) from pg_catalog.pg_settings s
 join (values ${Object.entries(values)
   .map((pair) => `(${pair.map((text) => `'${text}'`).join(', ')})`)
   .join(', ')}) as w (name, value) on w.name = s.name`;

/**
 * Where all is found by its key, one plan does for every run: the database would make a new one each time, since a list may be shorter
 * than it supposes. It must not be one for a table that is small today, hence index scans only.
 */
const byKeys = {
  plan_cache_mode: 'force_generic_plan',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
};

/** Commits see one moment, and fail where another one changed what they saw: the compare-and-set rests on that. */
export const commitSession = [
  settings(byKeys),
  'set session characteristics as transaction isolation level repeatable read',
].join(';\n');

/** For the rest of a transaction, plans are made for the values: where tables are joined, one for any values may be one for small tables. */
export const planEachTime: Statement = {
  text: `select set_config('plan_cache_mode', 'force_custom_plan', true) where current_setting('plan_cache_mode', true) is not null`,
  values: [],
};

/**
 * For rows that live for moments. Only index scans note which entries of an index are dead, for those that follow: other scans meet each
 * row that there has ever been, until the next vacuum.
 */
export const transientSession = settings({ ...byKeys, synchronous_commit: 'off' });
