/** What the author of a switch writes. */
import { z } from 'zod';
import { listOf, text } from '../common/option-schemas.js';

const condition = z.object({
  type: text.pipe(z.enum(['equal', 'not_equal', 'unconditional', ''])),
  /** A formula over the fields of the document's subject. */
  value: text,
  /** In whose name the run continues: `owner`, `issuer`, otherwise the current user. */
  actor: text.pipe(z.enum(['owner', 'issuer', ''])),
  /** The output. */
  tag: text,
});
export type Condition = z.infer<typeof condition>;

export const switchOptions = z.object({
  executionFlow: text.pipe(z.enum(['firstTrue', 'allTrue', ''])),
  conditions: listOf(condition),
});
export type SwitchOptions = z.infer<typeof switchOptions>;
