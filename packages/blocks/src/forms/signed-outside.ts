/** A form filled in and signed outside the engine: a credential in place of the fields. */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject, RunContext } from '@blockwork/core/block';
import { demandSignedByUser, distrust, isWholeCredential } from '../common/signed-by-user.js';
import { demandValid, takesField, typeOf, type UsableSchema } from '../schemas/index.js';
import type { FormOptions } from './form-options.js';

/** Members that the server would have written into the subject. */
export interface Expected {
  readonly schema: UsableSchema;
  /** The required id of the subject; `undefined` if the signer chooses it. */
  readonly id: Json | undefined;
  /** What the document refers to. */
  readonly ref: Json | undefined;
}

/** True if the engine holds no key for the user and the input is a credential. */
export const isSignedOutside = async (ctx: RunContext, posted: JsonObject): Promise<boolean> =>
  isWholeCredential(posted) && !(await ctx.credentials.holdsKeyOf(ctx.user.did));

/**
 * The subject, if it matches what the form would have produced. Each credential is accepted once. Fails with `CREDENTIAL_INVALID` and
 * `INPUT_INVALID`.
 */
export async function demandSignedForm(
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
  if (subject.ref !== ref) distrust(ctx, `the ref of its subject must be ${said(ref)}`);
  if (takesField(schema.document, 'policyId') && subject.policyId !== ctx.policy.id) {
    distrust(ctx, `the policyId of its subject must be "${ctx.policy.id}"`);
  }
  await demandSubjectId(ctx, subject, id);
  await demandNew(ctx, credential);
  return subject;
}

async function demandSubjectId(ctx: RunContext<FormOptions>, subject: JsonObject, id: Json | undefined): Promise<void> {
  const { idType } = ctx.options;
  if (id !== undefined || idType === '') {
    if (subject.id !== id) distrust(ctx, `the id of its subject must be ${said(id)}`);
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

async function demandNew(ctx: RunContext, credential: JsonObject): Promise<void> {
  const id = `signed/${ctx.credentials.hash(credential)}`;
  if ((await ctx.entries.get(id)) !== undefined) distrust(ctx, 'it was taken in already');
  await ctx.entries.put({ id, key: ctx.user.did, value: null });
}

const said = (value: Json | undefined): string => (value === undefined ? 'absent' : JSON.stringify(value));
