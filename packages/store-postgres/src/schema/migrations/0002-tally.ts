/** Migration 2: a tally of documents, maintained by every commit, so that totals of grids need no counting. */
import { tallyColumns } from '../layout.js';
import type { Migration } from './migration.js';

/** An empty text stands for a missing value, since a primary key holds no null. */
export const tally: Migration = {
  title: 'a tally of documents',
  statements: ({ document, tally: table }, text) => {
    const columns = tallyColumns.join(', ');
    return [
      // Only `n` changes, which is not indexed: free space on the page allows HOT updates.
      `create table ${table} (\n  partition ${text} not null,\n  ${tallyColumns.map((column) => `${column} ${text} not null`).join(',\n  ')},\n  n bigint not null,\n  primary key (partition, ${columns})\n) with (fillfactor = 50)`,
      `insert into ${table} (partition, ${columns}, n)\n select partition, ${tallyColumns.map((column) => `coalesce(${column}, '')`).join(', ')}, count(*)\n from ${document} group by 1, 2, 3, 4, 5`,
    ];
  },
};
