/** `uploadVcDocumentBlock`: accepts externally signed credentials that a user uploads as files. */
import {
  isBlockworkError,
  asJson,
  defineBlock,
  heading,
  isObject,
  passOn,
  RELEASE,
  tolerant,
  type DocumentInput,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { z } from 'zod';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { demandValid, schemaOf, typeOf } from '../schemas/index.js';
import { shownSchema } from './form-options.js';
import { tiesOf } from './new-document.js';
import { takeOnce } from './take-once.js';

const options = z.strictObject({
  schema: tolerant.text,
  entityType: tolerant.text,
});
type Context = RunContext<z.infer<typeof options>>;

/** Maximum number of credentials per upload. */
const DOCUMENTS_AT_MOST = 100;

export const uploadVcDocumentBlock = defineBlock({
  type: 'uploadVcDocumentBlock',
  title: 'Upload',
  description: 'Accepts externally signed credentials from files uploaded by the user.',
  kind: 'interface',
  outputs: [RELEASE],
  pure: true,
  options,
  input: z.object({
    documents: z
      .array(z.custom<JsonObject>(isObject, { message: 'must be a credential' }))
      .min(1)
      .max(DOCUMENTS_AT_MOST),
  }),
  references: ({ schema }) => [{ to: 'schema', name: schema, path: '/schema' }],

  async read(ctx) {
    const schema = await shownSchema(ctx, ctx.options.schema);
    return { ...heading(ctx), schema, uiMetaData: ctx.block.uiMetaData, active: true };
  },

  /** Returns the new records and the rejected credentials. Rejected ones trigger no run. */
  async receive(ctx, { documents }) {
    const verified: DocumentInput[] = [];
    const invalid: Json[] = [];
    for (const document of documents) {
      await ctx.budget.giveWay();
      const credential = await accepted(ctx, document);
      if (credential === undefined) invalid.push(document);
      else verified.push(credential);
    }
    if (verified.length > 0) passOn(ctx, verified);
    return { verified: verified.map(asJson), invalid };
  },
});

/** A credential is accepted once across all users, or it would count twice. */
async function accepted(ctx: Context, document: JsonObject): Promise<DocumentInput | undefined> {
  const subject = subjectOf(document);
  if (subject === undefined || !(await ctx.credentials.verify(document)).verified) return undefined;
  if (!(await isOfSchema(ctx, subject))) return undefined;
  const { schema, entityType } = ctx.options;
  const { did: owner, group } = ctx.user;
  const ties = await tiesOf(ctx, (await ctx.definitions.schema(schema))?.document ?? null, subject, undefined);
  const about = { owner, group, type: entityType || schema, ...(schema !== '' && { schema }), ...ties };
  const credential = credentialDocument(ctx, document, about);
  return (await takeOnce(ctx, document)) === 'new' ? credential : undefined;
}

async function isOfSchema(ctx: Context, subject: JsonObject): Promise<boolean> {
  const iri = ctx.options.schema;
  if (iri === '') return true;
  const types = Array.isArray(subject.type) ? subject.type : [subject.type];
  if (!types.includes(typeOf(iri))) return false;
  const schema = await schemaOf(ctx, iri);
  try {
    demandValid(ctx, schema, subject, '/documents');
    return true;
  } catch (error) {
    if (isBlockworkError(error, 'INPUT_INVALID')) return false;
    throw error;
  }
}
