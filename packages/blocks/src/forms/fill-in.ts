/** What is filled into a form, as a document: checked, named, signed by the user, and not stored yet. */
import {
  columnsOpening,
  type DocumentInput,
  type DocumentRecord,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { credentialDocument } from '../common/credential-document.js';
import { subjectOf } from '../common/subject.js';
import { demandValid, namedSubject, schemaOf, takesField, type UsableSchema } from '../schemas/index.js';
import { askValidators } from './child-validators.js';
import { draftDocument } from './drafts.js';
import type { FormOptions } from './form-options.js';
import { tiesOf } from './new-document.js';
import { firstOwnRow } from './own-row.js';
import { demandPresets, fixedFields } from './preset-fields.js';
import { refuseReference, type Reference } from './reference.js';
import { demandSignedForm, isSignedOutside } from './signed-outside.js';
import { newSubjectId } from './subject-identity.js';

export interface FilledIn {
  /** The fields, as they were posted. */
  readonly posted: JsonObject;
  /** The document that the new one refers to. */
  readonly reference: Reference | null;
  /** What the user adds as evidence. */
  readonly evidence?: readonly Json[];
  /** The version that this one replaces: both are about one subject. */
  readonly before?: DocumentRecord;
}

/** Members of a subject that only the server writes. */
const ofServer = ['id', 'type', '@context', 'policyId', 'ref'];

/**
 * A document that the user may not refer to is refused after the policy's own validators had their say: their reason is
 * the one that its author wants to be heard.
 */
export async function filledInDocument(ctx: RunContext<FormOptions>, filled: FilledIn): Promise<DocumentInput> {
  const schema = await schemaOf(ctx, ctx.options.schema);
  const { reference } = filled;
  const { did: owner, group } = ctx.user;
  const isSigned = await isSignedOutside(ctx, filled.posted);
  const { subject, credential } = isSigned
    ? await signedThere(ctx, schema, filled)
    : await signedHere(ctx, schema, filled);
  const ties = await tiesOf(ctx, schema.document, subject, reference?.document);
  const made = credentialDocument(ctx, credential, { owner, group, type: schema.id, schema: schema.id, ...ties });
  await askValidators(ctx, { document: made, related: reference?.document ?? null });
  if (reference?.open === false) refuseReference(ctx);
  return made;
}

interface Signed {
  readonly subject: JsonObject;
  readonly credential: JsonObject;
}

async function signedHere(ctx: RunContext<FormOptions>, schema: UsableSchema, filled: FilledIn): Promise<Signed> {
  const { posted, reference, evidence, before } = filled;
  await demandFixed(ctx, posted, reference);
  const id = before === undefined ? await newSubjectId(ctx, ctx.options.idType) : subjectOf(before.document)?.id;
  const subject = newSubject(ctx, schema, filled, id);
  demandValid(ctx, schema, subject, '/document', { '/document/ref': '/ref' });
  const issuer = ctx.user.did;
  const credential = await ctx.credentials.issue({
    issuer,
    group: groupOf(ctx),
    subject,
    ...(evidence && { evidence }),
  });
  return { subject, credential };
}

/** By the user, who keeps the key. */
async function signedThere(ctx: RunContext<FormOptions>, schema: UsableSchema, filled: FilledIn): Promise<Signed> {
  const { posted: credential, reference, before } = filled;
  const own = ctx.options.idType === 'OWNER' ? ctx.user.did : undefined;
  const id = before === undefined ? own : subjectOf(before.document)?.id;
  const subject = await demandSignedForm(ctx, credential, { schema, id, ref: aboutOf(filled) });
  await demandFixed(ctx, subject, reference);
  return { subject, credential };
}

/** Neither checked nor signed; an unfinished form has no identity of its own. */
export async function filledInDraft(
  ctx: RunContext<FormOptions>,
  filled: FilledIn,
  replaced?: DocumentRecord,
): Promise<DocumentInput> {
  const schema = await schemaOf(ctx, ctx.options.schema);
  const { reference } = filled;
  if (reference?.open === false) refuseReference(ctx);
  const subject = newSubject(ctx, schema, filled, undefined);
  const ties = await tiesOf(ctx, schema.document, subject, reference?.document);
  return draftDocument(ctx, subject, { type: schema.id, schema: schema.id, ...ties }, replaced);
}

/** A role taken directly also has a group, but documents are not made in its name. */
const groupOf = ({ policy, user }: RunContext): string | null => (policy.groups.length > 0 ? user.group : null);

/** What was read-only in the form is as in the document it was filled from: the one referred to, or the form's own. */
async function demandFixed(
  ctx: RunContext<FormOptions>,
  posted: JsonObject,
  reference: Reference | null,
): Promise<void> {
  const fixed = fixedFields(ctx.options.presetFields);
  if (fixed.length === 0 || reference?.open === false) return;
  const from = reference?.document ?? (await firstOwnRow(ctx));
  if (from !== undefined) demandPresets(ctx, fixed, from, posted);
  else if (columnsOpening(ctx).length > 0) refuseReference(ctx);
}

function newSubject(
  ctx: RunContext<FormOptions>,
  schema: UsableSchema,
  filled: FilledIn,
  id: Json | undefined,
): JsonObject {
  const { posted } = filled;
  const fields = Object.fromEntries(Object.entries(posted).filter(([name]) => !ofServer.includes(name)));
  const ref = aboutOf(filled);
  return {
    ...namedSubject(schema, fields),
    ...(id !== undefined && { id }),
    ...(ref !== undefined && { ref }),
    ...(takesField(schema.document, 'policyId') && { policyId: ctx.policy.id }),
  };
}

/** What the subject is about. A new version refers to what the one before refers to. */
function aboutOf({ reference, before }: FilledIn): string | undefined {
  const about =
    before === undefined ? reference && subjectOf(reference.document.document)?.id : subjectOf(before.document)?.ref;
  return typeof about === 'string' ? about : undefined;
}
