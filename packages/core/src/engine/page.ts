/** Pages of a list, with the total number of items. */
import { BlockworkError } from '../errors.js';
import type { RecordQuery } from '../ports/index.js';
import type { RecordKind, RecordKinds } from '../records/index.js';
import { cutPage, type RecordReader } from '../transactions/index.js';

/** A range of a list: items to skip and maximum number to return. */
export interface Range {
  readonly offset?: number;
  readonly limit?: number;
}

/** `total` is the size of the whole list. */
export interface ListPage<Item> {
  readonly items: Item[];
  readonly total: number;
}

const defaultLimit = 100;
const highestLimit = 1000;

/** For lists that may not fit in memory. Throws `INPUT_INVALID`. */
export function boundedRange({ offset = 0, limit = defaultLimit }: Range): Required<Range> {
  const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
  if (isAmount(offset) && isAmount(limit) && limit <= highestLimit) return { offset, limit };
  const reason = `The offset and limit of a page must be whole numbers, the limit at most ${String(highestLimit)}.`;
  throw new BlockworkError('INPUT_INVALID', { facts: { reason } });
}

/**
 * One page of a table. Where `bytes` are given, a page that would exceed them is shorter: it is refused with
 * `PAGE_TOO_LARGE` only if its first record alone exceeds them.
 */
export async function pageOf<Kind extends RecordKind>(
  records: RecordReader,
  kind: Kind,
  partition: string,
  { limit, ...query }: RecordQuery,
): Promise<ListPage<RecordKinds[Kind]>> {
  const [items, total] = await Promise.all([
    cutPage(limit, (size) => records.find(kind, partition, { ...query, ...size })),
    records.count(kind, partition, query.where),
  ]);
  return { items: [...items], total };
}
