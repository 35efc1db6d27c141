/** Options shared by page forms and row forms, and the view of their schema. */
import { tolerant, type JsonObject, type ReadContext, type Reference } from '@blockwork/core/block';
import { z } from 'zod';
import { formSchema } from '../schemas/index.js';
import { presetField } from './preset-fields.js';
import type { IdType } from './subject-identity.js';

const { flag, listOf, text, word } = tolerant;

export const formOptions = z.object({
  schema: text,
  /** Kind of the subject's id. Any other value means none. */
  idType: word('UUID', 'DID', 'OWNER').transform((value): IdType =>
    value === 'UUID' || value === 'DID' || value === 'OWNER' ? value : '',
  ),
  preset: flag,
  presetSchema: text,
  presetFields: listOf(presetField),
  hideFields: listOf(z.json()),
});
export type FormOptions = z.infer<typeof formOptions>;

/** Which of the policy's schemas a form needs. */
export const formReferences = ({ schema, presetSchema, presetFields }: FormOptions): Reference[] => [
  { to: 'schema', name: schema, path: '/schema' },
  { to: 'schema', name: presetSchema, path: '/presetSchema' },
  ...presetFields.map(({ name }, index): Reference => ({
    to: 'field',
    name,
    path: `/presetFields/${String(index)}/name`,
    severity: 'warning',
  })),
];

/** What front ends need to render the form. */
export async function shownForm(ctx: ReadContext<FormOptions>): Promise<JsonObject> {
  const { schema, presetSchema, presetFields, preset, hideFields, idType } = ctx.options;
  return { schema: await shownSchema(ctx, schema), idType, preset, presetSchema, presetFields, hideFields };
}

/** `null` for a schema that the policy does not have. */
export async function shownSchema(ctx: ReadContext, iri: string): Promise<JsonObject | null> {
  const stored = await ctx.definitions.schema(iri);
  return stored === undefined ? null : formSchema(stored);
}
