/** A form that was filled in and signed outside: a credential in place of the fields. */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject, RunContext } from '@blockwork/core/block';
import { demandSignedByUser, distrust, isWholeCredential } from '../common/signed-by-user.js';
import { demandValid, takesField, typeOf, type UsableSchema } from '../schemas/index.js';
import type { FormOptions } from './form-options.js';

/** What the server would have written into the subject. */
export interface Expected {
  readonly schema: UsableSchema;
  /** The id of the subject, where it is given: `undefined` where the signer chooses it. */
  readonly id: Json | undefined;
  /** What the document refers to. */
  readonly ref: Json | undefined;
}

/** For whom there is no key here, and who sends a credential. For others it is what they filled in. */
export const isSignedOutside = async (ctx: RunContext, posted: JsonObject): Promise<boolean> =>
  isWholeCredential(posted) && !(await ctx.credentials.holdsKeyOf(ctx.user.did));

/**
 * The subject, if the credential says what the form would have made of it. It is taken in once. Fails with `CREDENTIAL_INVALID` and
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
  // Whoever could name the subject of another document could speak of it in the place of its owner.
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
