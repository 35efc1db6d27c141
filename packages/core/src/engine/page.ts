/** Pages of a list, with the number of all its items. */
import type { RecordKind, RecordKinds } from '../records/index.js';
import type { RecordReader } from '../transactions/index.js';

/** A part of a list: how many to skip, how many at most. */
export interface Range {
  readonly offset?: number;
  readonly limit?: number;
}

/** `total` counts the whole list. */
export interface ListPage<Item> {
  readonly items: Item[];
  readonly total: number;
}

export async function pageOf<Kind extends RecordKind>(
  records: RecordReader,
  kind: Kind,
  partition: string,
  range: Range,
): Promise<ListPage<RecordKinds[Kind]>> {
  const [items, total] = await Promise.all([records.find(kind, partition, range), records.count(kind, partition)]);
  return { items, total };
}
