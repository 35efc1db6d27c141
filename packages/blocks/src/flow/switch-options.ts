/** The options of `switchBlock`. */
import { tolerant } from '@blockwork/core/block';
import { z } from 'zod';

const { listOf, text, unused } = tolerant;

const condition = z.strictObject({
  type: text.pipe(z.enum(['equal', 'not_equal', 'unconditional', ''])),
  /** A formula over the fields of the document's subject. */
  value: text,
  /** The user for whom the run continues: `owner`, `issuer`, otherwise the current one. */
  actor: text.pipe(z.enum(['owner', 'issuer', ''])),
  /** Name of the output. */
  tag: text,
  /** Left by editors; links say where an output leads. */
  target: unused,
});
export type Condition = z.infer<typeof condition>;

export const switchOptions = z.strictObject({
  executionFlow: text.pipe(z.enum(['firstTrue', 'allTrue', ''])),
  conditions: listOf(condition),
});
export type SwitchOptions = z.infer<typeof switchOptions>;
