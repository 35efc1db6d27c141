/** The options of `switchBlock`. */
import { tolerant } from '@blockwork/core/block';
import { z } from 'zod';

const { listOf, text } = tolerant;

const condition = z.object({
  type: text.pipe(z.enum(['equal', 'not_equal', 'unconditional', ''])),
  /** A formula over the fields of the document's subject. */
  value: text,
  /** The user for whom the run continues: `owner`, `issuer`, otherwise the current one. */
  actor: text.pipe(z.enum(['owner', 'issuer', ''])),
  /** Name of the output. */
  tag: text,
});
export type Condition = z.infer<typeof condition>;

export const switchOptions = z.object({
  executionFlow: text.pipe(z.enum(['firstTrue', 'allTrue', ''])),
  conditions: listOf(condition),
});
export type SwitchOptions = z.infer<typeof switchOptions>;
