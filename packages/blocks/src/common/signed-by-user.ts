/** Credentials signed outside the engine by users who hold their own keys. */
import { isObject, type Json, type JsonObject, type RunContext } from '@blockwork/core/block';
import { subjectOf } from './subject.js';

/** Whether the value is a complete credential, not just a subject. */
export const isWholeCredential = (value: JsonObject): boolean =>
  isObject(value.proof) && value.credentialSubject !== undefined && value.issuer !== undefined;

/** The subject of a credential signed only by the user. Fails with `CREDENTIAL_INVALID`. */
export async function demandSignedByUser(ctx: RunContext, credential: JsonObject): Promise<JsonObject> {
  const { verified, reason } = await ctx.credentials.verify(credential);
  if (!verified) distrust(ctx, reason);
  const { did, group } = issuerOf(credential.issuer);
  if (did !== ctx.user.did) distrust(ctx, 'its issuer is not the one who sends it');
  if (group !== undefined && group !== ctx.user.group) distrust(ctx, 'its issuer names a group that is not the user’s');
  const { credentialSubject } = credential;
  const subject = subjectOf(credential);
  if (subject === undefined || (Array.isArray(credentialSubject) && credentialSubject.length > 1))
    return distrust(ctx, 'it has not exactly one subject');
  return subject;
}

export function distrust(ctx: RunContext, reason: string): never {
  return ctx.fail('CREDENTIAL_INVALID', { facts: { reason: reason.replace(/\.$/, '') } });
}

const issuerOf = (issuer: Json | undefined): { readonly did: unknown; readonly group?: unknown } =>
  isObject(issuer) ? { did: issuer.id, group: issuer.group ?? undefined } : { did: issuer };
