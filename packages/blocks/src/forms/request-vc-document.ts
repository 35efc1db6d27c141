/** `requestVcDocumentBlock`: a form; what is filled in becomes a credential of the user (reference engine, sections 4.6, 6.3, 7.6). */
import {
  asJson,
  columnsOpening,
  defineBlock,
  documentsIn,
  finding,
  heading,
  isObject,
  passOn,
  RELEASE,
  tolerant,
  type DocumentInput,
  type JsonObject,
  type ReadContext,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialDocument } from '../common/credential-document.js';
import { demandValid, namedSubject, schemaOf, takesField, type UsableSchema } from '../schemas/index.js';
import { askValidators } from './child-validators.js';
import { tiesOf } from './new-document.js';
import { firstOwnRow } from './own-row.js';
import { demandPresets, fixedFields, presetField } from './preset-fields.js';
import { referenceOf, refuseReference, type Reference } from './reference.js';
import { newSubjectId, type IdType } from './subject-identity.js';

const { flag, listOf, text } = tolerant;

const options = z.object({
  schema: text,
  /** What the subject is called by. Anything but these three is none. */
  idType: text.transform((value): IdType => (value === 'UUID' || value === 'DID' || value === 'OWNER' ? value : '')),
  preset: flag,
  presetSchema: text,
  presetFields: listOf(presetField),
  hideFields: listOf(z.json()),
});
type Options = z.infer<typeof options>;

const filledIn = z.object({
  document: z.custom<JsonObject>(isObject, { message: 'must be an object: the fields of the form' }),
  /** The document that this one refers to: a subject's id, an object with an id, or a row. */
  ref: z.json().optional(),
  draft: z.boolean().nullish(),
});

const memory = z.object({ restoreData: z.json() });

/** Members of a subject that only the server writes. */
const ofServer = ['id', 'type', '@context', 'policyId', 'ref'];

export const requestVcDocumentBlock = defineBlock({
  type: 'requestVcDocumentBlock',
  title: 'Form',
  description: 'Asks for data by a schema, and makes a credential of it that the user signs.',
  kind: 'interface',
  children: ['source', 'addon'],
  inputs: ['RestoreEvent'],
  outputs: [RELEASE],
  pure: true,
  options,
  input: filledIn,
  references: ({ schema, presetSchema }) => [
    { to: 'schema', name: schema, path: '/schema' },
    { to: 'schema', name: presetSchema, path: '/presetSchema' },
  ],

  check(node, { schema }) {
    if (schema !== '') return [];
    return [finding(node, { message: `The form "${node.tag}" has no schema; it takes nothing.`, path: '/schema' })];
  },

  on: {
    /** The form opens with what is handed in, for this user. */
    async RestoreEvent(ctx, { data }) {
      await ctx.state.set({ restoreData: asJson(documentsIn(data)[0] ?? null) });
    },
  },

  async read(ctx) {
    const { schema, presetSchema, presetFields, preset, hideFields, idType } = ctx.options;
    const known = await ctx.definitions.schema(schema);
    return {
      ...heading(ctx),
      schema:
        known === undefined ? null : { ...known.source, iri: known.id, name: known.name, document: known.document },
      idType,
      preset,
      presetSchema,
      presetFields,
      hideFields,
      uiMetaData: ctx.block.uiMetaData,
      data: asJson((await firstOwnRow(ctx)) ?? null),
      restoreData: (await ctx.state.get(memory))?.restoreData ?? null,
      active: true,
    };
  },

  /**
   * Answers with the new document. A document that the user may not refer to is refused, after the policy's own validators
   * had their say: their reason is the one that its author wants to be heard.
   */
  async receive(ctx, { document: posted, ref, draft }) {
    if (draft === true) ctx.fail('DRAFT_UNSUPPORTED');
    const schema = await schemaOf(ctx, ctx.options.schema);
    const reference = await referenceOf(ctx, ref);
    await demandFixed(ctx, posted, reference);
    const subject = await newSubject(ctx, schema, posted, reference);
    demandValid(ctx, schema, subject, '/document', { '/document/ref': '/ref' });
    const made = await issue(ctx, schema, subject, reference);
    await askValidators(ctx, { document: made, related: reference?.document ?? null });
    if (reference?.open === false) refuseReference(ctx);
    if ((await ctx.state.get(memory)) !== undefined) await ctx.state.set(null);
    passOn(ctx, made);
    return asJson(made);
  },
});

/** What was read-only in the form is as in the document it was filled from: the one referred to, or the form's own. */
async function demandFixed(ctx: ReadContext<Options>, posted: JsonObject, reference: Reference | null): Promise<void> {
  const fixed = fixedFields(ctx.options.presetFields);
  if (fixed.length === 0 || reference?.open === false) return;
  const from = reference?.document ?? (await firstOwnRow(ctx));
  if (from !== undefined) demandPresets(ctx, fixed, from, posted);
  else if (columnsOpening(ctx).length > 0) refuseReference(ctx);
}

async function newSubject(
  ctx: RunContext<Options>,
  schema: UsableSchema,
  posted: JsonObject,
  reference: Reference | null,
): Promise<JsonObject> {
  const fields = Object.fromEntries(Object.entries(posted).filter(([name]) => !ofServer.includes(name)));
  const id = await newSubjectId(ctx, ctx.options.idType);
  const ref = reference === null ? undefined : subjectId(reference);
  return {
    ...namedSubject(schema, fields),
    ...(id !== undefined && { id }),
    ...(ref !== undefined && { ref }),
    ...(takesField(schema.document, 'policyId') && { policyId: ctx.policy.id }),
  };
}

async function issue(
  ctx: RunContext<Options>,
  schema: UsableSchema,
  subject: JsonObject,
  reference: Reference | null,
): Promise<DocumentInput> {
  const { did: owner, group } = ctx.user;
  // A role taken directly also has a group, but documents are not made in its name.
  const inNameOf = ctx.policy.groups.length > 0 ? group : null;
  const credential = await ctx.credentials.issue({ issuer: owner, group: inNameOf, subject });
  const ties = await tiesOf(ctx, schema.document, subject, reference?.document);
  return credentialDocument(ctx, credential, { owner, group, type: schema.id, schema: schema.id, ...ties });
}

function subjectId({ document: { document } }: Reference): string | undefined {
  const { credentialSubject } = document;
  const subject = Array.isArray(credentialSubject) ? credentialSubject[0] : credentialSubject;
  return isObject(subject) && typeof subject.id === 'string' ? subject.id : undefined;
}
