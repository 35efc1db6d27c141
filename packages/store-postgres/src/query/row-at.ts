/** One row by its address, in SQL. */
import type { Table } from '../schema/layout.js';

/**
 * The row of the table `name` at the address that `of` has. Asked for in an order that only the primary key has: where there are no
 * statistics yet, an index that comes to the id by looking at all rows of a partition costs the same.
 */
export function rowAt(name: string, { address }: Table, of: string): string {
  const within = address.filter((column) => column !== 'id').map((column) => `k.${column} = ${of}.${column}`);
  const same = [...within, `k.id >= ${of}.id`, `k.id <= ${of}.id`].join(' and ');
  return `select k.* from ${name} k where ${same} order by k.id limit 1`;
}
