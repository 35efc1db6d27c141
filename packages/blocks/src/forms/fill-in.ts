/** Turns submitted form data into a document: validated, typed, signed by the user, not stored yet. */
import {
  columnsOpening,
  type DocumentInput,
  type DocumentRecord,
  type Json,
  type JsonObject,
  type RunContext,
} from '@blockwork/core/block';
import { isDeepStrictEqual } from 'node:util';
import { credentialDocument } from '../common/credential-document.js';
import { demandSignedByUser, distrust, isWholeCredential } from '../common/signed-by-user.js';
import { subjectOf } from '../common/subject.js';
import { demandValid, namedSubject, schemaOf, takesField, typeOf, type UsableSchema } from '../schemas/index.js';
import { askValidators } from './child-validators.js';
import { draftDocument } from './drafts.js';
import type { FormOptions } from './form-options.js';
import { tiesOf } from './new-document.js';
import { firstOwnRow } from './own-row.js';
import { demandPresets, fixedFields } from './preset-fields.js';
import { type Reference, refuseReference } from './reference.js';
import { newSubjectId } from './subject-identity.js';
import { takeOnce } from './take-once.js';

export interface FilledIn {
  /** The fields, as they were posted. */
  readonly posted: JsonObject;
  /** The document that the new one refers to. */
  readonly reference: Reference | null;
  /** Evidence added by the user. */
  readonly evidence?: readonly Json[];
  /** The version that this one replaces; both have the same subject. */
  readonly before?: DocumentRecord;
}

/** Members of a subject that only the server writes. */
const ofServer = ['id', 'type', '@context', 'policyId', 'ref'];

/**
 * Forbidden references are rejected only after the policy's own validators ran, so that the author's message takes
 * precedence.
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
  const filledIn = credentialDocument(ctx, credential, { owner, group, type: schema.id, schema: schema.id, ...ties });
  await askValidators(ctx, { document: filledIn, related: reference?.document ?? null });
  if (reference?.open === false) refuseReference(ctx);
  return filledIn;
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

/** Signed by the user, who holds the key. */
async function signedThere(ctx: RunContext<FormOptions>, schema: UsableSchema, filled: FilledIn): Promise<Signed> {
  const { posted: credential, reference, before } = filled;
  const own = ctx.options.idType === 'OWNER' ? ctx.user.did : undefined;
  const id = before === undefined ? own : subjectOf(before.document)?.id;
  const subject = await demandSignedForm(ctx, credential, { schema, id, ref: aboutOf(filled) });
  await demandFixed(ctx, subject, reference);
  return { subject, credential };
}

/** Neither validated nor signed; a draft gets no identity. */
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

/** A directly assigned role also has a group, but documents do not belong to that group. */
const groupOf = ({ policy, user }: RunContext): string | null => (policy.groups.length > 0 ? user.group : null);

/** Read-only fields must match the document the form was prefilled from: the referenced one, or the form's own. */
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

/** The reference of the subject. A new version keeps the reference of the previous one. */
function aboutOf({ reference, before }: FilledIn): string | undefined {
  const about =
    before === undefined ? reference && subjectOf(reference.document.document)?.id : subjectOf(before.document)?.ref;
  return typeof about === 'string' ? about : undefined;
}

/** Members that the server would have written into the subject. */
interface Expected {
  readonly schema: UsableSchema;
  /** The required id of the subject; `undefined` if the signer chooses it. */
  readonly id: Json | undefined;
  /** What the document refers to. */
  readonly ref: Json | undefined;
}

/** True if the engine holds no key for the user and the input is a credential. */
const isSignedOutside = async (ctx: RunContext, posted: JsonObject): Promise<boolean> =>
  isWholeCredential(posted) && !(await ctx.credentials.holdsKeyOf(ctx.user.did));

/**
 * The subject, if it matches what the form would have produced. Each credential is accepted once. Fails with `CREDENTIAL_INVALID` and
 * `INPUT_INVALID`.
 */
async function demandSignedForm(
  ctx: RunContext<FormOptions>,
  credential: JsonObject,
  { schema, id, ref }: Expected,
): Promise<JsonObject> {
  const subject = await demandSignedByUser(ctx, credential);
  const type = typeOf(schema.id);
  if (subject.type !== type && !isDeepStrictEqual(subject.type, [type])) {
    distrust(ctx, `its subject is not of the type ${type}`);
  }
  const where = `/document/credentialSubject${Array.isArray(credential.credentialSubject) ? '/0' : ''}`;
  demandValid(ctx, schema, subject, where);
  if (subject.ref !== ref) distrust(ctx, `the ref of its subject must be ${textOf(ref)}`);
  if (takesField(schema.document, 'policyId') && subject.policyId !== ctx.policy.id) {
    distrust(ctx, `the policyId of its subject must be "${ctx.policy.id}"`);
  }
  await demandSubjectId(ctx, subject, id);
  if ((await takeOnce(ctx, credential)) !== 'new') distrust(ctx, 'it was taken in already');
  return subject;
}

async function demandSubjectId(ctx: RunContext<FormOptions>, subject: JsonObject, id: Json | undefined): Promise<void> {
  const { idType } = ctx.options;
  if (id !== undefined || idType === '') {
    if (subject.id !== id) distrust(ctx, `the id of its subject must be ${textOf(id)}`);
    return;
  }
  const prefix = idType === 'UUID' ? 'urn:uuid:' : 'did:';
  if (typeof subject.id !== 'string' || !subject.id.startsWith(prefix)) {
    return distrust(ctx, `the id of its subject must begin with ${prefix}`);
  }
  // Reusing another document's subject id would let a user impersonate its owner.
  const where = { path: 'document.credentialSubject.0.id', op: 'eq', value: subject.id } as const;
  if ((await ctx.documents.find(where, { limit: 1 })).length > 0) {
    distrust(ctx, 'there is a document about its subject already');
  }
}

const textOf = (value: Json | undefined): string => (value === undefined ? 'absent' : JSON.stringify(value));
