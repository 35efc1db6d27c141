/** The SQL that finds one row by its address. */
import type { Table } from '../schema/layout.js';

/**
 * The row of the table `name` at the address in `of`. Ordered so that only the primary key fits: without statistics, an index
 * that scans all rows of a partition would seem equally cheap.
 */
export function rowAt(name: string, { address }: Table, of: string): string {
  const within = address.filter((column) => column !== 'id').map((column) => `k.${column} = ${of}.${column}`);
  const same = [...within, `k.id >= ${of}.id`, `k.id <= ${of}.id`].join(' and ');
  return `select k.* from ${name} k where ${same} order by k.id limit 1`;
}
