/** The expression of a `mathBlock`: values from documents, formulas over them, and the fields that take the results. */
import { tolerant } from '@blockwork/core/block';
import { z } from 'zod';
import type { LatexItem } from '../../formulas/index.js';

const { listOf, text } = tolerant;

const link = z.object({
  name: text,
  /** Path into the subject, such as `field3.field0`; through a list, it yields the values of all elements. */
  field: text,
  /** IRI of the schema of a related document; empty for the document itself. */
  schema: text,
});
export type MathLink = z.infer<typeof link>;

const formula = z.object({ type: text, name: text, body: text, params: listOf(text) });

/** Editors sort links and formulas into named groups, which have no effect. */
const groupsOf = <Item>(item: z.ZodType<Item>) =>
  listOf(z.object({ items: listOf(item) })).transform((groups) => groups.flatMap(({ items }) => items));

export const mathExpression = z
  .object({
    variables: groupsOf(link),
    formulas: groupsOf(formula),
    outputs: groupsOf(link),
    /** JavaScript, which may replace the result. */
    code: text,
  })
  .nullish()
  .transform((expression) => expression ?? { variables: [], formulas: [], outputs: [], code: '' });
export type MathExpression = z.infer<typeof mathExpression>;

export const formulasOf = ({ formulas }: MathExpression): LatexItem[] =>
  formulas.map(({ type, name, body, params }) => ({ name, body, parameters: type === 'function' ? params : null }));
