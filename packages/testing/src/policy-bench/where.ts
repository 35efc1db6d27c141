/** Conditions of tests: expected values by path into a row or a document. */
import { sameJson, valueAt } from '@blockwork/core/block';

/** All paths must match, as in `{ 'option.status': 'Approved', type: 'report' }`. `undefined` and `null` match a missing value. */
export type Where = Readonly<Record<string, unknown>>;

export const meets = (record: unknown, where: Where): boolean =>
  Object.entries(where).every(([path, wanted]) => sameJson(valueAt(record, path) ?? null, wanted ?? null));
