/** Conditions of tests: paths into a row or a document, and what is to be found there. */
import { sameJson, valueAt } from '@blockwork/core/block';

/** `{ 'option.status': 'Approved', type: 'report' }`: all of it must be so. `undefined` and `null` mean that nothing is there. */
export type Where = Readonly<Record<string, unknown>>;

export const meets = (record: unknown, where: Where): boolean =>
  Object.entries(where).every(([path, wanted]) => sameJson(valueAt(record, path) ?? null, wanted ?? null));
