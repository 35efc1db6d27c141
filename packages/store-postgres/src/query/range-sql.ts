/** `gt`, `gte`, `lt` and `lte` as SQL over a column of sort keys. */
import type { Json } from '@blockwork/core';
import { rankRange, sortKey } from '../codec/sort-key.js';
import type { Parameters } from './parameters.js';
import { always, never, type Sql } from './sql.js';

export type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte';

const operators: Readonly<Record<RangeOperator, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
const opposites: Readonly<Record<RangeOperator, string>> = { gt: '<=', gte: '<', lt: '>=', lte: '>' };

/** `includesUnsorted`: whether rows without a sort key, whose text is too long for one, match too. */
export function isInRange(
  column: string,
  op: RangeOperator,
  value: Json,
  isNegated: boolean,
  includesUnsorted: boolean,
  parameters: Parameters,
): Sql {
  const rank = rankRange(value);
  if (rank === null) return isNegated ? always : never;
  const key = sortKey(value);
  if (key === null) return { text: 'true', isExact: false };
  const bytes = (hex: string): string => `${parameters.add(Buffer.from(hex, 'hex'))}::bytea`;
  const isUnsorted = includesUnsorted ? ` or ${column} is null` : '';
  if (isNegated) {
    const isOther = `${column} < ${bytes(rank.from)} or ${column} >= ${bytes(rank.to)}`;
    return { text: `(${column} ${opposites[op]} ${bytes(key)} or ${isOther}${isUnsorted})`, isExact: true };
  }
  const isInRank = op.startsWith('g') ? `${column} < ${bytes(rank.to)}` : `${column} >= ${bytes(rank.from)}`;
  const text = `${column} ${operators[op]} ${bytes(key)} and ${isInRank}`;
  return { text: includesUnsorted ? `(${text}${isUnsorted})` : text, isExact: true };
}
