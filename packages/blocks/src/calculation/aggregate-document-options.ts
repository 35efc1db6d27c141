/** The options of `aggregateDocumentBlock`. */
import { tolerant } from '@blockwork/core/block';
import { z } from 'zod';

const { flag, listOf, text } = tolerant;

export const aggregateDocumentOptions = z.strictObject({
  aggregateType: text.pipe(z.enum(['period', 'cumulative', ''])),
  /** Tag of the timer. Informational; the event link decides. */
  timer: text,
  /** Evaluated for each document; the condition sees a list of results for each name. */
  expressions: listOf(z.strictObject({ name: text, value: text })),
  condition: text,
  groupByFields: listOf(z.strictObject({ fieldPath: text })),
  /** Also release an empty list when the timer fires. */
  emptyData: flag,
  /** Documents of all users together, released in the name of the policy's owner. */
  disableUserGrouping: flag,
});
export type AggregateDocumentOptions = z.infer<typeof aggregateDocumentOptions>;
